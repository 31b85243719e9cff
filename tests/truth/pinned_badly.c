// @env: OMP_PLACES={0}
// @env: OMP_PROC_BIND=true
// Both threads are bound to one processor: each has half of it.
#include "truth.h"

int main(void)
{
    own_t own[2] = {{0}};
    double begin = now(), elapsed = 0;
    for (int step = 0; step < 6; step++) {
        double from = now();
        #pragma omp parallel num_threads(2) // mark: region, disease: placement
        own[omp_get_thread_num()].seconds += burn(0.040);
        elapsed += now() - from;
    }
    truth("work@region", sum_of(own, 2));
    truth("region@region", elapsed);
    truth("cpus", 1);
    truth("elapsed", now() - begin);
}
