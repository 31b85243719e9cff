// What one thread alone does, which is not the primary one; the other waits at a barrier.
#include "truth.h"

int main(void)
{
    double begin = now(), alone = 0, waited = 0, arrived[2];
    own_t own[2] = {{0}};
    #pragma omp parallel num_threads(2) // mark: region
    for (int step = 0; step < 20; step++) {
        #pragma omp masked filter(1)
        alone += burn(0.006);
        own[omp_get_thread_num()].seconds += burn(0.003);
        arrived[omp_get_thread_num()] = now();
        #pragma omp barrier // mark: barrier
        #pragma omp masked
        waited += waits(arrived, 2);
        #pragma omp barrier
    }
    truth("work@region", alone + sum_of(own, 2));
    truth("wait@barrier", waited);
    truth("instances@barrier", 20);
    truth("elapsed", now() - begin);
}
