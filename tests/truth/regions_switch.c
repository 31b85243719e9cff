// Four regions of one function behind a switch in a loop; each costs something else.
#include "truth.h"

static double cost[4];

APART void phase(int which)
{
    double sum = 0;
    switch (which) {
    case 0:
        #pragma omp parallel num_threads(2) reduction(+ : sum) // mark: r0
        sum += burn(0.002);
        break;
    case 1:
        #pragma omp parallel for num_threads(2) reduction(+ : sum) schedule(static, 1) // mark: r1
        for (int i = 0; i < 4; i++)
            sum += burn(0.004);
        break;
    case 2:
        #pragma omp parallel num_threads(2) reduction(+ : sum) // mark: r2
        #pragma omp single
        for (int k = 0; k < 6; k++) {
            #pragma omp task // mark: t2
            {
                double took = burn_ran(0.003);
                #pragma omp atomic
                cost[2] += took;
            }
        }
        break;
    default:
        #pragma omp parallel num_threads(2) reduction(+ : sum) // mark: r3, disease: imbalance
        sum += burn(omp_get_thread_num() ? 0.024 : 0.006);
    }
    cost[which] += sum;
}

int main(void)
{
    double begin = now();
    for (int step = 0; step < 60; step++)
        phase(step * 7 % 4);
    truth("work@r0", cost[0]);
    truth("work@r1", cost[1]);
    truth("task_work@t2", cost[2]);
    truth("tasks@t2", 90);
    truth("work@r3", cost[3]);
    truth("instances@r0", 15);
    truth("instances@r1", 15);
    truth("instances@r2", 15);
    truth("instances@r3", 15);
    truth("imbalance@r3", 15 * 0.018);
    truth("elapsed", now() - begin);
}
