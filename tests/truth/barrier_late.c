// Explicit barriers: another thread comes late to each, so that work is equal over the region.
#include "truth.h"

int main(void)
{
    double begin = now(), first = 0, second = 0;
    own_t own[2] = {{0}};
    double at[2];
    #pragma omp parallel num_threads(2) // mark: region, disease: imbalance
    for (int step = 0; step < 20; step++) {
        int me = omp_get_thread_num();
        own[me].seconds += burn(me ? 0.014 : 0.004);
        at[me] = now();
        #pragma omp barrier // mark: first
        if (me == 0)
            first += at[1] > at[0] ? at[1] - at[0] : at[0] - at[1];
        #pragma omp barrier // mark: pause
        own[me].seconds += burn(me ? 0.003 : 0.009);
        at[me] = now();
        #pragma omp barrier // mark: second
        if (me == 1)
            second += at[1] > at[0] ? at[1] - at[0] : at[0] - at[1];
        #pragma omp barrier
    }
    truth("work@region", sum_of(own, 2));
    truth("wait@first", first);
    truth("wait@second", second);
    truth("imbalance@region", first + second);
    truth("instances@first", 20);
    truth("instances@second", 20);
    truth("elapsed", now() - begin);
}
