// Tasks that exclude one another by mutexinoutset, in a taskgroup with a task reduction.
#include "truth.h"

static own_t own[2], after[2];

int main(void)
{
    double begin = now();
    int cell = 0, sum = 0;
    #pragma omp parallel num_threads(2) // mark: region
    #pragma omp masked
    for (int step = 0; step < 8; step++) {
        #pragma omp taskgroup task_reduction(+ : sum)
        {
            for (int i = 0; i < 6; i++) {
                #pragma omp task depend(mutexinoutset : cell) in_reduction(+ : sum) // mark: one
                {
                    sum++;
                    own[omp_get_thread_num()].seconds += burn_ran(0.004);
                }
            }
            #pragma omp task depend(in : cell) // mark: after
            after[omp_get_thread_num()].seconds += burn_ran(0.002);
        }
    }
    truth("tasks@one", 48);
    truth("tasks@after", 8);
    truth("task_work@one", sum_of(own, 2));
    truth("task_work@after", sum_of(after, 2));
    truth("elapsed", now() - begin);
    return sum == 48 ? 0 : 1;
}
