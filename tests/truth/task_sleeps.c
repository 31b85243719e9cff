// Tasks that sleep most of their time, beside tasks that work.
#include "truth.h"
#include <unistd.h>

static own_t slept[2], work[2], other[2];

int main(void)
{
    double begin = now();
    #pragma omp parallel num_threads(2) // mark: region, disease: blocked
    #pragma omp single
    for (int i = 0; i < 30; i++) {
        #pragma omp task // mark: sleeper
        {
            int me = omp_get_thread_num();
            work[me].seconds += burn_ran(0.003);
            double from = now(), before = computed();
            usleep(12000);
            double ran = computed() - before;
            work[me].seconds += ran;
            slept[me].seconds += now() - from - ran;
        }
        #pragma omp task // mark: worker
        {
            int me = omp_get_thread_num();
            other[me].seconds += burn_ran(0.008);
        }
    }
    truth("ran@region", sum_of(work, 2) + sum_of(other, 2));
    truth("blocked.usleep@region", sum_of(slept, 2));
    truth("task_work@sleeper", sum_of(work, 2));
    truth("task_work@worker", sum_of(other, 2));
    truth("tasks@sleeper", 30);
    truth("elapsed", now() - begin);
}
