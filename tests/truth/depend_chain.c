// Tasks that depend on each other in a row: one at a time.
#include "truth.h"

int main(void)
{
    double begin = now(), in_tasks = 0;
    int token = 0;
    #pragma omp parallel num_threads(2) // mark: region
    #pragma omp single
    for (int i = 0; i < 60; i++) {
        #pragma omp task depend(inout : token) // disease: task-shortage, mark: task
        in_tasks += burn_ran(0.008);
    }
    truth("tasks@task", 60);
    truth("task_work@task", in_tasks);
    truth("elapsed", now() - begin);
}
