/* A thread that blocks all signals in a region, and computes behind it. Prints what the region
 * took, seconds. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void compute(double seconds)
{
    const double begin = now();
    while (now() < begin + seconds) {
    }
}

int main(void)
{
    unsigned long all = ~0ul, before;
    const double begin = now();
#pragma omp parallel num_threads(1)
    {
        compute(0.05);
        syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof all);
        compute(0.3);
    }
    const double region = now() - begin;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof all);
    compute(0.1);
    printf("region %.6f\n", region);
    return 0;
}
