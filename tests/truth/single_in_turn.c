// One thread works in a single construct while the other waits at its end.
#include "truth.h"

int main(void)
{
    double begin = now(), alone = 0, both = 0;
    #pragma omp parallel num_threads(2) reduction(+ : both) // mark: region, disease: imbalance
    for (int step = 0; step < 25; step++) {
        #pragma omp single // mark: single
        alone += burn(0.015);
        both += burn(0.010);
        #pragma omp barrier
    }
    truth("work@region", alone + both);
    truth("time@single", alone);
    truth("instances@single", 25);
    truth("wait@single", alone);
    truth("elapsed", now() - begin);
}
