// The primary thread works alone and all meet at a barrier behind it.
#include "truth.h"

int main(void)
{
    double begin = now(), alone = 0;
    own_t own[2] = {{0}};
    #pragma omp parallel num_threads(2) // mark: region
    for (int step = 0; step < 25; step++) {
        #pragma omp master // mark: master, disease: imbalance
        alone += burn(0.012);
        #pragma omp barrier // mark: barrier
        own[omp_get_thread_num()].seconds += burn(0.006);
        #pragma omp barrier
    }
    truth("work@region", alone + sum_of(own, 2));
    truth("wait@barrier", alone);
    truth("instances@barrier", 25);
    truth("elapsed", now() - begin);
}
