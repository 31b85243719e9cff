// Tasks that reduce into a taskgroup's variable.
#include "truth.h"

int main(void)
{
    double begin = now(), sum = 0;
    #pragma omp parallel num_threads(2) // mark: region
    #pragma omp single
    #pragma omp taskgroup task_reduction(+ : sum)
    for (int i = 0; i < 25; i++) {
        #pragma omp task in_reduction(+ : sum) // mark: task
        sum += burn_ran(0.008);
    }
    truth("tasks@task", 25);
    truth("task_work@task", sum);
    truth("ran@region", sum);
    truth("elapsed", now() - begin);
}
