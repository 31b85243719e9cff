/* A task that one thread makes and another must execute: its maker goes on with its own work and
 * looks at times whether the result is there. A row is the time from where the maker begins to make
 * the task to the task's first instruction. */
#include "rows.h"
#include <unistd.h>

/* Words of one hand-over, a line apart. */
static struct {
    volatile long begun;
    char apart[120];
} done;
static volatile long long begun_at;

/* Behind so long a time somebody else should have come: the maker waits in the usual way. */
enum { TOO_LONG = 1000000000 };

static long long handed_over(void (*meanwhile)(void), void (*before)(void), void (*first)(void),
                             long n)
{
    long long latency = 0;
#pragma omp parallel
    {
#pragma omp barrier
#pragma omp single
        for (long i = 1; i <= n; i++) {
            before();
            long long made = now();
            first();
#pragma omp task firstprivate(i)
            {
                begun_at = now();
                __atomic_store_n(&done.begun, i, __ATOMIC_RELEASE);
            }
            if (threads == 1) {
#pragma omp taskwait
            }
            while (__atomic_load_n(&done.begun, __ATOMIC_ACQUIRE) != i) {
                meanwhile();
                if (now() - made > TOO_LONG) {
#pragma omp taskwait
                }
            }
            latency += begun_at - made;
        }
    }
    __atomic_store_n(&done.begun, 0, __ATOMIC_RELEASE);
    return latency;
}

static void nothing(void)
{
}

static void work_100ns(void)
{
    sink = grind(sink, 100);
}

static void work_10us(void)
{
    sink = grind(sink, 10000);
}

static void sleep_20us(void)
{
    usleep(20);
}

/* The maker looks all the time. */
static long long task_handoff(long n)
{
    return handed_over(nothing, nothing, nothing, n);
}

/* It looks between two pieces of its work. */
static long long task_handoff_work(long n)
{
    return handed_over(work_100ns, nothing, nothing, n);
}

/* Some time passes between two tasks. */
static long long task_handoff_seldom(long n)
{
    return handed_over(work_100ns, work_10us, nothing, n);
}

/* The maker sleeps between two looks. */
static long long task_handoff_sleep(long n)
{
    return handed_over(sleep_20us, nothing, nothing, n);
}

/* Tiny tasks come before each, and the row's time begins before the first of them: a runtime that
 * takes long to make them has them executed meanwhile. */
static void tiny_tasks(void)
{
    for (int k = 0; k < 32; k++) {
#pragma omp task
        __asm__ volatile("");
    }
}

static long long task_handoff_tiny(long n)
{
    return handed_over(work_100ns, nothing, tiny_tasks, n);
}

static const struct row rows[] = {
    ROW(task_handoff), ROW(task_handoff_work), ROW(task_handoff_seldom),
    ROW_AT_MOST(task_handoff_sleep, 200), ROW(task_handoff_tiny),
};

FAMILY(handoff, NULL);
