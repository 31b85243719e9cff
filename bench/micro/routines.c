/* The library's routines, outside of any region. */
#include "rows.h"

static long long get_max_threads(long n)
{
    SERIALLY(for (long i = 0; i < n; i++) sink = (unsigned)omp_get_max_threads();)
}

static long long set_num_threads(long n)
{
    SERIALLY(for (long i = 0; i < n; i++) omp_set_num_threads(threads);)
}

static long long get_thread_num(long n)
{
    SERIALLY(for (long i = 0; i < n; i++) {
        sink = (unsigned)omp_get_thread_num();
        __asm__ volatile("" ::: "memory");
    })
}

static long long init_lock(long n)
{
    omp_lock_t lock;
    SERIALLY(for (long i = 0; i < n; i++) {
        omp_init_lock(&lock);
        omp_destroy_lock(&lock);
    })
}

static const struct row rows[] = {
    ROW(get_max_threads), ROW(set_num_threads), ROW(get_thread_num), ROW(init_lock),
};

FAMILY(routine, NULL);
