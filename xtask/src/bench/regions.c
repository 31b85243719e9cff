/* What the profile-cost row runs: regions of about one and a half milliseconds each, always the same
 * amount of work, balanced over two, four or eight threads. Prints a checksum. */
#include <stdio.h>

enum { BLOCKS = 8, STEPS = 250000, REGIONS = 800 };

static double state[BLOCKS * 8];

/* Each step needs the one before, so no compiler can make this much shorter than another. */
static double chain(double x)
{
    for (int i = 0; i < STEPS; i++)
        x = 3.7 * x * (1.0 - x);
    return x;
}

int main(void)
{
    for (int b = 0; b < BLOCKS; b++)
        state[b * 8] = 0.1 + 0.1 * b;
    for (int r = 0; r < REGIONS; r++) {
#pragma omp parallel for schedule(static)
        for (int b = 0; b < BLOCKS; b++)
            state[b * 8] = chain(state[b * 8]);
    }
    double sum = 0;
    for (int b = 0; b < BLOCKS; b++)
        sum += state[b * 8];
    printf("%.6f\n", sum);
    return 0;
}
