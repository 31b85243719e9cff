// Tasks that exclude each other by mutexinoutset, with priorities, beside a free one.
#include "truth.h"

static double excluded, freely;

int main(void)
{
    double begin = now();
    int one = 0;
    #pragma omp parallel num_threads(2) // mark: region
    #pragma omp single
    for (int i = 0; i < 20; i++) {
        #pragma omp task depend(mutexinoutset : one) priority(2) // mark: excluded
        excluded += burn_ran(0.010);
        #pragma omp task // mark: freely
        {
            double took = burn_ran(0.010);
            #pragma omp taskyield
            #pragma omp atomic
            freely += took;
        }
    }
    truth("task_work@excluded", excluded);
    truth("task_work@freely", freely);
    truth("tasks@excluded", 20);
    truth("tasks@freely", 20);
    truth("ran@region", excluded + freely);
    truth("elapsed", now() - begin);
}
