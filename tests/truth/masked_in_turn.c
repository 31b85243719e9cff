// The primary thread prepares each step, the other waits for it.
#include "truth.h"

int main(void)
{
    double begin = now(), alone = 0, both = 0;
    #pragma omp parallel num_threads(2) reduction(+ : both) // mark: region, disease: imbalance
    for (int step = 0; step < 25; step++) {
        #pragma omp masked
        alone += burn(0.012);
        #pragma omp barrier // mark: first
        both += burn(0.010);
        #pragma omp barrier // mark: second
    }
    truth("work@region", alone + both);
    truth("wait@first", alone);
    truth("instances@second", 25);
    truth("imbalance@region", alone);
    truth("elapsed", now() - begin);
}
