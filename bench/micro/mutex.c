/* Critical sections and locks. Acquisitions by the whole team are counted together. */
#include "rows.h"

static long long critical(long n)
{
    static volatile long shared;
    IN_REGION(for (long i = 0; i < n / threads; i++) {
        _Pragma("omp critical(bench)") shared++;
    })
}

static long long critical_work(long n)
{
    static unsigned shared;
    IN_REGION(for (long i = 0; i < n / threads; i++) {
        _Pragma("omp critical(bench_work)") shared = grind(shared, 100);
        grind((unsigned)i, 100);
    })
}

static long long critical_free(long n)
{
    static volatile long shared;
    SERIALLY(for (long i = 0; i < n; i++) {
        _Pragma("omp critical(bench_free)") shared++;
    })
}

static omp_lock_t lock;
static omp_nest_lock_t nest_lock;

static long long lock_contended(long n)
{
    static volatile long shared;
    IN_REGION(for (long i = 0; i < n / threads; i++) {
        omp_set_lock(&lock);
        shared++;
        omp_unset_lock(&lock);
    })
}

static long long lock_free(long n)
{
    SERIALLY(for (long i = 0; i < n; i++) {
        omp_set_lock(&lock);
        __asm__ volatile("");
        omp_unset_lock(&lock);
    })
}

static long long nest_lock_free(long n)
{
    SERIALLY(for (long i = 0; i < n; i++) {
        omp_set_nest_lock(&nest_lock);
        __asm__ volatile("");
        omp_unset_nest_lock(&nest_lock);
    })
}

/* The task has the lock already. */
static long long nest_lock_held(long n)
{
    omp_set_nest_lock(&nest_lock);
    long long time = nest_lock_free(n);
    omp_unset_nest_lock(&nest_lock);
    return time;
}

static void prepare_locks(void)
{
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest_lock);
}

static const struct row rows[] = {
    ROW(critical), ROW(critical_work), ROW(critical_free), ROW(lock_contended), ROW(lock_free),
    ROW(nest_lock_free), ROW(nest_lock_held),
};

FAMILY(mutex, prepare_locks);
