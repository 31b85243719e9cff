// Regions inside of regions: four threads at a time, as on a machine with four processors.
// @env: OMP_MAX_ACTIVE_LEVELS=2
#include "truth.h"

int main(void)
{
    own_t own[2][2] = {{{0}}};
    double begin = now(), elapsed = 0;
    #pragma omp parallel num_threads(2) // mark: outer
    for (int step = 0; step < 12; step++) {
        int me = omp_get_thread_num();
        double from = now();
        #pragma omp parallel num_threads(2) // mark: inner, disease: nested-parallelism anywhere
        own[me][omp_get_thread_num()].seconds += burn(0.040);
        #pragma omp atomic
        elapsed += now() - from;
    }
    truth("work@inner", sum_of(own[0], 2) + sum_of(own[1], 2));
    truth("region@inner", elapsed);
    truth("instances@inner", 24);
    truth("elapsed", now() - begin);
}
