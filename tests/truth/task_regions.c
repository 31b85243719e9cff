// Tasks that have regions of their own, and regions whose threads make tasks.
#include "truth.h"

static double within, tasks;

APART void team(double seconds)
{
    double sum = 0;
    #pragma omp parallel num_threads(2) reduction(+ : sum) // mark: inner
    sum += burn(seconds);
    #pragma omp atomic
    within += sum;
}

int main(void)
{
    double begin = now();
    omp_set_max_active_levels(2);
    for (int step = 0; step < 10; step++) {
        #pragma omp parallel num_threads(1) // mark: outer
        for (int k = 0; k < 3; k++) {
            #pragma omp task // mark: task
            {
                double took = burn(0.003);
                team(0.006);
                #pragma omp atomic
                tasks += took;
            }
        }
    }
    truth("work@inner", within);
    truth("instances@inner", 30);
    truth("tasks@task", 30);
    truth("elapsed", now() - begin);
}
