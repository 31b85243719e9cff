// Regions of one thread: none takes a quarter of the run, and all together take most of it.
#include "truth.h"

#define REGION(n, seconds) \
    for (int i = 0; i < 5; i++) { \
        _Pragma("omp parallel num_threads(1)") \
        work[n] += burn(seconds); \
    }

int main(void)
{
    double begin = now(), work[6] = {0}, shared = 0;
    REGION(0, 0.012)
    REGION(1, 0.016)
    REGION(2, 0.020) // mark: longest, disease: one-thread
    REGION(3, 0.014)
    REGION(4, 0.010)
    REGION(5, 0.012)
    #pragma omp parallel num_threads(2) reduction(+ : shared) // mark: shared
    shared += burn(0.050);
    truth("work@longest", work[2]);
    truth("instances@longest", 5);
    truth("work@shared", shared);
    truth("elapsed", now() - begin);
}
