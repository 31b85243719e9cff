// A target region on the host, whose team has unequal work.
#include "truth.h"

int main(void)
{
    double begin = now();
    own_t own[2] = {{0}};
    for (int step = 0; step < 15; step++) {
        #pragma omp target map(tofrom : own)
        #pragma omp parallel num_threads(2) // mark: region, disease: imbalance
        own[omp_get_thread_num()].seconds += burn(omp_get_thread_num() ? 0.020 : 0.005);
    }
    truth("work@region", sum_of(own, 2));
    truth("instances@region", 15);
    truth("imbalance@region", own[1].seconds - own[0].seconds);
    truth("elapsed", now() - begin);
}
