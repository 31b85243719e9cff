// Three long tasks a phase for two threads: one waits while the last one is executed.
#include "truth.h"

int main(void)
{
    double begin = now(), in_tasks = 0;
    for (int step = 0; step < 8; step++) {
        #pragma omp parallel num_threads(2) // disease: task-shortage, mark: region
        #pragma omp single
        for (int i = 0; i < 3; i++) {
            #pragma omp task // mark: task
            {
                double took = burn_ran(0.020);
                #pragma omp atomic
                in_tasks += took;
            }
        }
    }
    truth("tasks@task", 24);
    truth("task_work@task", in_tasks);
    truth("ran@region", in_tasks);
    truth("elapsed", now() - begin);
}
