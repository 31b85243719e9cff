/* Parallel regions. */
#include "rows.h"
#include <stdio.h>

static long long parallel_empty(long n)
{
    SERIALLY(for (long i = 0; i < n; i++) {
        _Pragma("omp parallel") __asm__ volatile("");
    })
}

static long long parallel_args(long n)
{
    int a = 1, b = 2, c = 3;
    double d = 4, e = 5, f = 6;
    long *g = &n;
    SERIALLY(for (long i = 0; i < n; i++) {
        _Pragma("omp parallel firstprivate(d, e, f)")
        {
            __asm__ volatile("" ::"r"(a + b + c), "x"(d + e + f), "r"(*g));
        }
        a ^= 1;
        b ^= 1;
        c ^= 1;
    })
}

static long long parallel_if0(long n)
{
    volatile int no = 0;
    SERIALLY(for (long i = 0; i < n; i++) {
        _Pragma("omp parallel if (no)") __asm__ volatile("");
    })
}

static long long parallel_resize(long n)
{
    SERIALLY(for (long i = 0; i < n; i += 2) {
        _Pragma("omp parallel num_threads(threads)") __asm__ volatile("");
        _Pragma("omp parallel num_threads(threads > 1 ? threads - 1 : 2)") __asm__ volatile("");
    })
}

static long long parallel_work10us(long n)
{
    SERIALLY(for (long i = 0; i < n; i++) {
        _Pragma("omp parallel") sink = grind((unsigned)i, 10000);
    })
}

static long long nested_2x2(long n)
{
    omp_set_max_active_levels(2);
    SERIALLY(for (long i = 0; i < n; i++) {
        _Pragma("omp parallel num_threads(2)")
        {
            _Pragma("omp parallel num_threads(2)") __asm__ volatile("");
        }
    })
}

static long long nested_serial(long n)
{
    omp_set_max_active_levels(1);
    IN_REGION(for (long i = 0; i < n; i++) {
        _Pragma("omp parallel") __asm__ volatile("");
    })
}

void first_region(void)
{
    long long start = now();
#pragma omp parallel
    __asm__ volatile("");
    printf("first_region ns %.3f\n", (double)(now() - start));
}

static const struct row rows[] = {
    ROW(parallel_empty), ROW(parallel_args), ROW(parallel_if0), ROW_OF(parallel_resize, 2),
    ROW(parallel_work10us), ROW(nested_2x2), ROW(nested_serial),
};

FAMILY(parallel, NULL);
