// A taskloop of few, long tasks: 5 of 40 ms by two threads leave one idle at its end.
#include "truth.h"

int main(void)
{
    double begin = now(), work = 0;
    #pragma omp parallel num_threads(2) // mark: region, disease: task-shortage
    #pragma omp single
    for (int step = 0; step < 4; step++) {
        #pragma omp taskloop grainsize(1) reduction(+ : work) // mark: tasks
        for (int i = 0; i < 3; i++)
            work += burn_ran(0.040);
    }
    truth("task_work", work);
    truth("tasks", 12);
    truth("ran@region", work);
    truth("elapsed", now() - begin);
}
