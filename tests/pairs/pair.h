// A program of which there are two: it is built with AFTER and without, and one thing is different
// then. It prints what its own clock says it took.
//
// `with: OPTION` is what it is recorded with, `says: TEXT` a part of what diff's first sentence
// must say, `has: TEXT` a part of its JSON, `verdict:` what it calls the change.
#ifndef PAIR_H
#define PAIR_H

#include <omp.h>
#include <stdio.h>
#include <time.h>

/// Computes, in the function that it stands in.
#define WORK(steps)                                                                                \
    do {                                                                                           \
        double x = 1.0;                                                                            \
        for (long step_ = 0; step_ < (steps); step_++)                                             \
            x = x * 1.0000001 + 1e-9;                                                              \
        __asm__ volatile("" : : "x"(x));                                                           \
    } while (0)

#define APART __attribute__((noinline, unused)) static

static struct timespec begin_;

APART void begins(void)
{
    clock_gettime(CLOCK_MONOTONIC, &begin_);
}

APART int ends(void)
{
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    double took = end.tv_sec - begin_.tv_sec + 1e-9 * (end.tv_nsec - begin_.tv_nsec);
    printf("TRUTH elapsed %.6f\n", took);
    return 0;
}

#ifdef AFTER
#define PICK(before, after) after
#else
#define PICK(before, after) before
#endif

#endif
