// A program whose speedup has one known limit.
//
// `limit: NAME` is what `omphalos scale` must call it, whatever else the machine does, unless it
// says that the machine is busy; `cause: NAME` must be among what it says is lost. `likely: NAME`
// is what it calls it on a machine that does nothing else, and `has: TEXT` a part of the sentence
// then. `sizes: LIST` are the numbers of threads, if not 1 and 2.
#ifndef LIMIT_H
#define LIMIT_H

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

/// Computes, in the function that it stands in.
#define WORK(steps)                                                                                \
    do {                                                                                           \
        double x = 1.0;                                                                            \
        for (long step_ = 0; step_ < (steps); step_++)                                             \
            x = x * 1.0000001 + 1e-9;                                                              \
        __asm__ volatile("" : : "x"(x));                                                           \
    } while (0)

#define APART __attribute__((noinline, unused)) static

#endif
