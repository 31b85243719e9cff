/* What the C and C++ test programs share: a check that tells its place, and the closing line.
 * Checks may be made by any thread; only the first few failures are written. */
#ifndef CHECK_H
#define CHECK_H
#include <limits.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_failures;

static inline void check_fail(const char *file, int line, const char *what, long long got,
                              long long wanted)
{
    if (__atomic_add_fetch(&check_failures, 1, __ATOMIC_RELAXED) <= 10)
        fprintf(stderr, "%s:%d: %s: got %lld, wanted %lld\n", file, line, what, got, wanted);
}

/* The condition holds. */
#define CHECK(condition) \
    do { \
        if (!(condition)) \
            check_fail(__FILE__, __LINE__, #condition, 0, 1); \
    } while (0)

/* Two integers are equal. */
#define CHECK_EQ(got, wanted) \
    do { \
        long long got_ = (long long)(got), wanted_ = (long long)(wanted); \
        if (got_ != wanted_) \
            check_fail(__FILE__, __LINE__, #got " == " #wanted, got_, wanted_); \
    } while (0)

/* The last statement of main: `return check_done();` */
static inline int check_done(void)
{
    if (check_failures)
        return 1;
    puts("ok");
    return 0;
}

/* What OMP_NUM_THREADS asked for: the team size of a region without num_threads. */
static inline int check_threads(void)
{
    const char *text = getenv("OMP_NUM_THREADS");
    return text ? atoi(text) : omp_get_num_procs();
}
#endif
