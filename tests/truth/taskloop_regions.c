// @env: OMP_MAX_ACTIVE_LEVELS=2
// A taskloop each of whose tasks opens a team of its own.
#include "truth.h"

static own_t own[64];

int main(void)
{
    double begin = now();
    #pragma omp parallel num_threads(2) // mark: outer
    #pragma omp single
    #pragma omp taskloop grainsize(1) // mark: loop
    for (int i = 0; i < 24; i++) {
        int slot = i;
        double part = 0;
        // The inner teams are more than the processors.
        #pragma omp parallel num_threads(2) reduction(+ : part) // mark: inner
        {
            part += burn(0.004);
            #pragma omp barrier
            part += burn(0.004);
            #pragma omp barrier
            part += burn(0.004);
        }
        own[slot].seconds += part;
    }
    truth("tasks@loop", 24);
    truth("instances@inner", 24);
    truth("work@inner", sum_of(own, 24));
    truth("elapsed", now() - begin);
}
