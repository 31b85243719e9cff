/* What the top-cost rows look at: regions of a few milliseconds each, always the same amount of
 * work, shared by all threads. Prints the processor time that the process took, user and system, and
 * the time that went by, seconds. */
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

enum { BLOCKS = 64, STEPS = 31250, REGIONS = 750 };

static double state[BLOCKS * 8];

/* Each step needs the one before. */
static double chain(double x)
{
    for (int i = 0; i < STEPS; i++)
        x = 3.7 * x * (1.0 - x);
    return x;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

int main(void)
{
    double began = now(), sum = 0;
    for (int b = 0; b < BLOCKS; b++)
        state[b * 8] = 0.1 + 0.01 * b;
    for (int r = 0; r < REGIONS; r++) {
#pragma omp parallel for schedule(static)
        for (int b = 0; b < BLOCKS; b++)
            state[b * 8] = chain(state[b * 8]);
    }
    for (int b = 0; b < BLOCKS; b++)
        sum += state[b * 8];
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    printf("%.6f %.6f %.6f\n", used.ru_utime.tv_sec + 1e-6 * used.ru_utime.tv_usec,
           used.ru_stime.tv_sec + 1e-6 * used.ru_stime.tv_usec, now() - began);
    return sum < 0;
}
