/* Worksharing loops. A row counts iterations where a chunk is handed out for each, and loops
 * otherwise. */
#include "rows.h"

static long long for_static(long n)
{
    IN_REGION(for (long i = 0; i < n; i++) {
        _Pragma("omp for schedule(static)") for (int k = 0; k < 64; k++) __asm__ volatile("");
    })
}

static long long for_static_nowait(long n)
{
    IN_REGION(for (long i = 0; i < n; i++) {
        _Pragma("omp for schedule(static) nowait") for (int k = 0; k < 64; k++)
            __asm__ volatile("");
    })
}

static long long parallel_for(long n)
{
    SERIALLY(for (long i = 0; i < n; i++) {
        _Pragma("omp parallel for schedule(static)") for (int k = 0; k < 64; k++)
            __asm__ volatile("");
    })
}

static long long parallel_for_dynamic(long n)
{
    SERIALLY(for (long i = 0; i < n; i++) {
        _Pragma("omp parallel for schedule(dynamic, 8)") for (int k = 0; k < 64; k++)
            __asm__ volatile("");
    })
}

static long long for_dynamic1(long n)
{
    IN_REGION(_Pragma("omp for schedule(dynamic, 1)") for (long k = 0; k < n; k++)
                  __asm__ volatile("");)
}

static long long for_dynamic1_100ns(long n)
{
    IN_REGION(_Pragma("omp for schedule(dynamic, 1)") for (long k = 0; k < n; k++)
                  grind((unsigned)k, 100);)
}

static long long for_dynamic1_ull(long n)
{
    IN_REGION(_Pragma("omp for schedule(dynamic, 1)") for (unsigned long long k = 0;
                                                           k < (unsigned long long)n; k++)
                  __asm__ volatile("");)
}

static long long for_dynamic1_monotonic(long n)
{
    IN_REGION(_Pragma("omp for schedule(monotonic : dynamic, 1)") for (long k = 0; k < n; k++)
                  __asm__ volatile("");)
}

/* A loop is over before the other thread has seen the one before. */
static long long for_dynamic4_nowait(long n)
{
    IN_REGION(for (long i = 0; i < n; i++) {
        _Pragma("omp for schedule(dynamic, 1) nowait") for (int k = 0; k < 4; k++)
            __asm__ volatile("");
    })
}

static long long for_dynamic_short(long n)
{
    IN_REGION(for (long i = 0; i < n; i++) {
        _Pragma("omp for schedule(dynamic, 1)") for (int k = 0; k < 8; k++) __asm__ volatile("");
    })
}

static long long for_guided(long n)
{
    IN_REGION(for (long i = 0; i < n; i++) {
        _Pragma("omp for schedule(guided)") for (int k = 0; k < 1000; k++) __asm__ volatile("");
    })
}

static long long for_runtime_dynamic(long n)
{
    omp_set_schedule(omp_sched_dynamic, 4);
    IN_REGION(_Pragma("omp for schedule(runtime)") for (long k = 0; k < n; k++)
                  __asm__ volatile("");)
}

static long long for_ordered_static1(long n)
{
    IN_REGION(_Pragma("omp for ordered schedule(static, 1)") for (long k = 0; k < n; k++) {
        _Pragma("omp ordered") __asm__ volatile("");
    })
}

static long long for_ordered_dynamic1(long n)
{
    IN_REGION(_Pragma("omp for ordered schedule(dynamic, 1)") for (long k = 0; k < n; k++) {
        _Pragma("omp ordered") __asm__ volatile("");
    })
}

/* Each iteration waits for the one before, which the other thread executes. */
static long long doacross_static1(long n)
{
    IN_REGION(_Pragma("omp for ordered(1) schedule(static, 1)") for (long k = 0; k < n; k++) {
        _Pragma("omp ordered depend(sink : k - 1)") __asm__ volatile("");
        _Pragma("omp ordered depend(source)")
    })
}

static long long doacross_static(long n)
{
    IN_REGION(_Pragma("omp for ordered(1) schedule(static)") for (long k = 0; k < n; k++) {
        _Pragma("omp ordered depend(sink : k - 1)") __asm__ volatile("");
        _Pragma("omp ordered depend(source)")
    })
}

static long long doacross_dynamic1(long n)
{
    IN_REGION(_Pragma("omp for ordered(1) schedule(dynamic, 1)") for (long k = 0; k < n; k++) {
        _Pragma("omp ordered depend(sink : k - 1)") __asm__ volatile("");
        _Pragma("omp ordered depend(source)")
    })
}

static const struct row rows[] = {
    ROW(for_static), ROW(for_static_nowait), ROW(parallel_for), ROW(parallel_for_dynamic),
    ROW(for_dynamic1), ROW(for_dynamic1_100ns), ROW(for_dynamic1_ull), ROW(for_dynamic1_monotonic),
    ROW(for_dynamic_short), ROW(for_dynamic4_nowait),
    ROW(for_guided), ROW(for_runtime_dynamic), ROW(for_ordered_static1),
    ROW(for_ordered_dynamic1), ROW(doacross_static1), ROW(doacross_static), ROW(doacross_dynamic1),
};

FAMILY(loop, NULL);
