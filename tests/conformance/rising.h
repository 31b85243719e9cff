/* Loops whose iterations must rise in each thread. */
#include "check.h"
#define N 1000

static long region; /* the number of the current region */
static int fell;

/* The calling thread does iteration `i` of the region's only loop; early ones take long. */
static void step(long i)
{
    static _Thread_local long last, in;
    if (in == region && i <= last) {
#pragma omp atomic
        fell++;
    }
    in = region;
    last = i;
    volatile double x = 1;
    for (long k = 0; k < 2 * (N - i); k++)
        x = x * 1.0000001;
}

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define IN_REGION(type, ...)                                                                       \
    region++;                                                                                      \
    PRAGMA(omp parallel)                                                                           \
    {                                                                                              \
        PRAGMA(omp for __VA_ARGS__)                                                                \
        for (type i = 0; i < N; i++)                                                               \
            step((long)i);                                                                         \
    }
#define LOOP(...)                                                                                  \
    IN_REGION(long, __VA_ARGS__)                                                                   \
    IN_REGION(unsigned long long, __VA_ARGS__)                                                     \
    region++;                                                                                      \
    PRAGMA(omp parallel for __VA_ARGS__)                                                           \
    for (int i = 0; i < N; i++)                                                                    \
        step(i);
