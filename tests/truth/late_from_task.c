// A thread comes late to a loop's end, since it executes a task that another one made.
#include "truth.h"

int main(void)
{
    double begin = now();
    own_t own[2] = {{0}}, tasks[2] = {{0}};
    #pragma omp parallel num_threads(2) // mark: region
    for (int step = 0; step < 15; step++) {
        #pragma omp single nowait
        for (int k = 0; k < 4; k++) {
            #pragma omp task // mark: task
            tasks[omp_get_thread_num()].seconds += burn_ran(0.003);
        }
        #pragma omp for schedule(static, 1) // mark: loop
        for (int i = 0; i < 4; i++)
            own[omp_get_thread_num()].seconds += burn_ran(0.005);
    }
    truth("ran@region", sum_of(own, 2) + sum_of(tasks, 2));
    truth("task_work@task", sum_of(tasks, 2));
    truth("tasks@task", 60);
    truth("elapsed", now() - begin);
}
