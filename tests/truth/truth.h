// A program that knows its own times: it works by the clock, adds up what it took, and prints it.
#ifndef TRUTH_H
#define TRUTH_H

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define APART __attribute__((noinline, unused)) static

/// Threads that add up a time each; a line of the cache apart.
typedef struct {
    double seconds;
    char apart[120];
} own_t;

APART double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

/// Computes for that long; says how long it really was.
APART double burn(double seconds)
{
    double begin = now(), x = 1.0;
    while (now() < begin + seconds)
        for (int i = 0; i < 200; i++)
            x = x * 1.0000001 + 1e-9;
    __asm__ volatile("" : : "x"(x));
    return now() - begin;
}

/// What the calling thread ran so far, by its own clock.
APART double computed(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

/// Computes for that long; says how long its thread had a processor for it.
APART double burn_ran(double seconds)
{
    double before = computed();
    burn(seconds);
    return computed() - before;
}

/// `figure` or `figure@mark`; seconds, or a number.
APART void truth(const char *figure, double value)
{
    printf("TRUTH %s %.6f\n", figure, value);
    fflush(stdout);
}

/// What each of them waits for the last one, summed.
APART double waits(const double *arrived, int threads)
{
    double last = 0, sum = 0;
    for (int i = 0; i < threads; i++)
        last = arrived[i] > last ? arrived[i] : last;
    for (int i = 0; i < threads; i++)
        sum += last - arrived[i];
    return sum;
}

APART double sum_of(const own_t *own, int threads)
{
    double sum = 0;
    for (int i = 0; i < threads; i++)
        sum += own[i].seconds;
    return sum;
}

#endif
