/* What the profile-cost row runs: regions of about a millisecond each on two threads, always the
 * same amount of work, each followed by a little serial time. Prints a checksum. */
#include <stdio.h>

enum { ELEMENTS = 8192, SWEEPS = 60, REGIONS = 1200 };

static double a[ELEMENTS], b[ELEMENTS];

static void sweep(int begin, int end)
{
    for (int s = 0; s < SWEEPS; s++)
        for (int i = begin; i < end; i++)
            a[i] = a[i] * 0.999 + b[i] / (1.0 + a[i]);
}

int main(void)
{
    for (int i = 0; i < ELEMENTS; i++)
        b[i] = i % 17;
    for (int r = 0; r < REGIONS; r++) {
#pragma omp parallel for schedule(static, ELEMENTS / 8)
        for (int block = 0; block < 8; block++)
            sweep(block * ELEMENTS / 8, (block + 1) * ELEMENTS / 8);
    }
    double sum = 0;
    for (int i = 0; i < ELEMENTS; i++)
        sum += a[i];
    printf("%.6f\n", sum);
    return 0;
}
