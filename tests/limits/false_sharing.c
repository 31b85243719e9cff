// Each thread counts in a place of its own, and all places are in one cache line.
// likely: false-sharing
// has: take cache lines from each other
#include "limit.h"

static volatile long counts[64];

APART void count(long from, long to)
{
    int own = omp_get_thread_num();
    for (long i = from; i < to; i++)
        counts[own]++;
}

int main(void)
{
    #pragma omp parallel for schedule(static)
    for (int part = 0; part < 64; part++)
        count(0, 6000000);
    long sum = 0;
    for (int i = 0; i < 64; i++)
        sum += counts[i];
    printf("%ld\n", sum);
    return 0;
}
