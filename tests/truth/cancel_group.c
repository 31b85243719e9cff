// @env: OMP_CANCELLATION=true
// healthy
// Task groups that a task cancels: what was not begun is discarded.
#include "truth.h"

int main(void)
{
    double begin = now(), in_tasks = 0;
    #pragma omp parallel num_threads(2) // mark: region
    #pragma omp single
    for (int step = 0; step < 6; step++) {
        #pragma omp taskgroup
        for (int i = 0; i < 40; i++) {
            #pragma omp task // mark: task
            {
                double took = burn_ran(0.002);
                #pragma omp atomic
                in_tasks += took;
                if (i >= 30) {
                    #pragma omp cancel taskgroup
                }
            }
        }
    }
    truth("task_work@task", in_tasks);
    truth("elapsed", now() - begin);
}
