/* What the top-cost rows look at: regions of a few milliseconds each, shared by all threads. Does
 * the same amount of work for each byte that it reads, and prints what that took: processor time of
 * the process, and the time that went by, seconds. */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { BLOCKS = 64, STEPS = 31250, REGIONS = 30 };

static double state[BLOCKS * 8];

/* Each step needs the one before. */
static double chain(double x)
{
    for (int i = 0; i < STEPS; i++)
        x = 3.7 * x * (1.0 - x);
    return x;
}

static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

int main(void)
{
    double sum = 0;
    char byte;
    for (int b = 0; b < BLOCKS; b++)
        state[b * 8] = 0.1 + 0.01 * b;
    while (read(0, &byte, 1) == 1) {
        double used = now(CLOCK_PROCESS_CPUTIME_ID), began = now(CLOCK_MONOTONIC);
        for (int r = 0; r < REGIONS; r++) {
#pragma omp parallel for schedule(static)
            for (int b = 0; b < BLOCKS; b++)
                state[b * 8] = chain(state[b * 8]);
        }
        printf("%.9f %.9f\n", now(CLOCK_PROCESS_CPUTIME_ID) - used, now(CLOCK_MONOTONIC) - began);
        fflush(stdout);
    }
    for (int b = 0; b < BLOCKS; b++)
        sum += state[b * 8];
    return sum < 0;
}
