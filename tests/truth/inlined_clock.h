// The clocks of own_clock.h, which the compiler sets into the code of their callers with lines of
// this file.
#ifndef INLINED_CLOCK_H
#define INLINED_CLOCK_H

#include <time.h>

static inline __attribute__((always_inline)) double read_clock(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

static inline __attribute__((always_inline)) double wall_time(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

static inline __attribute__((always_inline)) double thread_time(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

#endif
