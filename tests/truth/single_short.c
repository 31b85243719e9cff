// Threads take turns with a single construct and share a longer loop: they work equally long, and
// wait for a fifth of their time.
#include "truth.h"

#define STEPS 100

int main(void)
{
    double begin = now(), alone = 0, both = 0;
    #pragma omp parallel num_threads(2) reduction(+ : both) // mark: region, disease: imbalance
    for (int step = 0; step < STEPS; step++) {
        #pragma omp single // mark: single
        alone += burn(0.003);
        #pragma omp for // mark: loop
        for (int i = 0; i < 8; i++)
            both += burn(0.001);
    }
    truth("work@region", alone + both);
    truth("wait@single", alone);
    truth("instances@loop", STEPS);
    truth("elapsed", now() - begin);
}
