// Each step of a region begins with a single that loads, and a loop that all of them share.
#include "truth.h"

static own_t own[2];

int main(void)
{
    double begin = now(), loaded = 0;
    #pragma omp parallel num_threads(2) // mark: region
    for (int step = 0; step < 10; step++) {
        #pragma omp single // mark: single, disease: imbalance
        loaded += burn(0.025);
        #pragma omp for schedule(static) // mark: loop
        for (int i = 0; i < 4; i++)
            own[omp_get_thread_num()].seconds += burn(0.005);
    }
    truth("work@region", loaded + sum_of(own, 2));
    truth("time@single", loaded);
    truth("instances@single", 10);
    truth("instances@loop", 10);
    truth("elapsed", now() - begin);
}
