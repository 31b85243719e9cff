// @env: OMP_CANCELLATION=true
// Loops that one thread cancels in their middle, and a taskgroup that a task cancels.
#include "truth.h"

int main(void)
{
    double begin = now();
    own_t own[2] = {{0}}, inside[2] = {{0}};
    for (int step = 0; step < 15; step++) {
        #pragma omp parallel num_threads(2) // mark: region
        {
            #pragma omp for schedule(dynamic, 1) // mark: loop
            for (int i = 0; i < 40; i++) {
                own[omp_get_thread_num()].seconds += burn_ran(0.003);
                if (i == 7) {
                    #pragma omp cancel for
                }
                #pragma omp cancellation point for
            }
            #pragma omp single
            #pragma omp taskgroup
            for (int i = 0; i < 6; i++) {
                #pragma omp task // mark: task
                {
                    inside[omp_get_thread_num()].seconds += burn_ran(0.002);
                    #pragma omp cancel taskgroup if (i == 9)
                }
            }
        }
    }
    truth("ran@region", sum_of(own, 2) + sum_of(inside, 2));
    truth("instances@loop", 15);
    truth("instances@region", 15);
    truth("task_work@task", sum_of(inside, 2));
    truth("tasks@task", 90);
    truth("elapsed", now() - begin);
}
