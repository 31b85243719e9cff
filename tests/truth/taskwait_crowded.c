// More threads than processors on most machines that test, and one at work: the cause is the
// taskwait behind each task.
#include "truth.h"

int main(void)
{
    double begin = now(), in_tasks = 0;
    #pragma omp parallel num_threads(4) // mark: region
    #pragma omp single
    for (int i = 0; i < 60; i++) {
        #pragma omp task // disease: task-shortage, mark: task
        in_tasks += burn_ran(0.008);
        #pragma omp taskwait
    }
    truth("tasks@task", 60);
    truth("task_work@task", in_tasks);
    truth("elapsed", now() - begin);
}
