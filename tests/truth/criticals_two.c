// Two named critical constructs in two functions; only the second is contended.
#include "truth.h"

static own_t inside[4], outside[4], waiting[4];

APART void quick(int me)
{
    #pragma omp critical(quick) // mark: quick
    inside[me].seconds += burn(0.0005);
}

APART void slow(int me)
{
    double asked = now();
    #pragma omp critical(slow) // mark: slow, disease: hot-mutex
    {
        waiting[me].seconds += now() - asked;
        inside[me].seconds += burn(0.006);
    }
}

int main(void)
{
    double begin = now();
    #pragma omp parallel num_threads(2) // mark: region
    for (int i = 0; i < 50; i++) {
        int me = omp_get_thread_num();
        outside[me].seconds += burn(0.002);
        quick(me);
        slow(me);
    }
    truth("lock_wait@slow", sum_of(waiting, 2));
    truth("acquisitions@quick", 100);
    truth("work@region", sum_of(inside, 2) + sum_of(outside, 2));
    truth("elapsed", now() - begin);
}
