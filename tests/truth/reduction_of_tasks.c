// healthy
// A region that reduces what its tasks add, by the modifier task.
#include "truth.h"

int main(void)
{
    double begin = now(), sum = 0;
    for (int step = 0; step < 5; step++) {
        #pragma omp parallel num_threads(2) reduction(task, + : sum) // mark: region
        {
            #pragma omp for schedule(static)
            for (int i = 0; i < 16; i++) {
                #pragma omp task in_reduction(+ : sum) // mark: task
                sum += burn_ran(0.008);
            }
        }
    }
    truth("tasks@task", 80);
    truth("task_work@task", sum);
    truth("ran@region", sum);
    truth("elapsed", now() - begin);
}
