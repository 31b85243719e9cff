// A taskgroup whose one long task keeps the thread that made it waiting.
#include "truth.h"

int main(void)
{
    double begin = now(), work = 0;
    #pragma omp parallel num_threads(2) // mark: region
    #pragma omp single
    for (int step = 0; step < 10; step++) {
        #pragma omp taskgroup
        for (int i = 0; i < 2; i++) {
            #pragma omp task shared(work) // mark: task
            {
                double took = burn_ran(i ? 0.060 : 0.010);
                #pragma omp atomic
                work += took;
            }
        }
    }
    truth("task_work@task", work);
    truth("tasks@task", 20);
    truth("ran@region", work);
    truth("elapsed", now() - begin);
}
