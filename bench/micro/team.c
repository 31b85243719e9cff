/* What a team does in its region, loops apart: barriers and the constructs that choose who
 * works. */
#include "rows.h"

static long long barrier(long n)
{
    IN_REGION(for (long i = 0; i < n; i++) {
        _Pragma("omp barrier")
    })
}

static long long single(long n)
{
    IN_REGION(for (long i = 0; i < n; i++) {
        _Pragma("omp single") __asm__ volatile("");
    })
}

static long long single_nowait(long n)
{
    IN_REGION(for (long i = 0; i < n; i++) {
        _Pragma("omp single nowait") __asm__ volatile("");
    })
}

static long long single_copyprivate(long n)
{
    IN_REGION(long value = 0; for (long i = 0; i < n; i++) {
        _Pragma("omp single copyprivate(value)") value = i;
        __asm__ volatile("" ::"r"(value));
    })
}

static long long masked(long n)
{
    IN_REGION(for (long i = 0; i < n; i++) {
        _Pragma("omp master") __asm__ volatile("");
    })
}

static long long sections4(long n)
{
    IN_REGION(for (long i = 0; i < n; i++) {
        _Pragma("omp sections")
        {
            _Pragma("omp section") __asm__ volatile("");
            _Pragma("omp section") __asm__ volatile("");
            _Pragma("omp section") __asm__ volatile("");
            _Pragma("omp section") __asm__ volatile("");
        }
    })
}

static const struct row rows[] = {
    ROW(barrier), ROW(single), ROW(single_nowait), ROW(single_copyprivate), ROW(masked),
    ROW(sections4),
};

FAMILY(team, NULL);
