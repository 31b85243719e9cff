// Regions too short to tell of each, in a function that is inlined twice: both calls have the same
// outlined code.
#include "truth.h"

enum { REGIONS = 20000 };

static own_t worked[2];

static inline __attribute__((always_inline)) void step(double seconds)
{
    #pragma omp parallel num_threads(2) // mark: region
    worked[omp_get_thread_num()].seconds += burn(seconds);
}

int main(void)
{
    double begin = now();
    for (int i = 0; i < REGIONS; i++) {
        step(3e-6);
        step(6e-6);
    }
    truth("work@region", sum_of(worked, 2));
    truth("instances@region", 2 * REGIONS);
    truth("elapsed", now() - begin);
}
