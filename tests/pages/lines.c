/* A program of which one line takes most of the time, and threads wait for one that has more. */
#include <stdio.h>

static double numbers[2048];

static void smooth(int rounds)
{
    for (int round = 0; round < rounds; round++)
        for (int i = 1; i < 2047; i++)
            numbers[i] = 0.5 * numbers[i] + 0.25 * (numbers[i - 1] + numbers[i + 1]) + 1; /* hot */
}

int main(void)
{
#pragma omp parallel for schedule(static, 1) num_threads(2) /* waits */
    for (int part = 0; part < 2; part++)
        smooth(part == 0 ? 1000 : 60000);
    printf("%g\n", numbers[9]);
    return 0;
}
