// Threads draw from rand, which has one lock for all.
#include "truth.h"

int main(void)
{
    double begin = now();
    long inside = 0;
    #pragma omp parallel for num_threads(2) reduction(+ : inside) // mark: region
    for (long i = 0; i < 12000000; i++)
        inside += rand() < RAND_MAX / 2; // disease: hot-mutex
    truth("elapsed", now() - begin);
    return inside > 0 ? 0 : 1;
}
