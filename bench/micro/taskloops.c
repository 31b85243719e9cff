/* Loops of tasks: what a taskloop costs for each task, and as a whole. */
#include "rows.h"

/* One task an iteration; a step is a task. */
static long long taskloop(long n)
{
    BY_ONE(for (long i = 0; i < n; i += 256) {
        _Pragma("omp taskloop grainsize(1)") for (int k = 0; k < 256; k++) __asm__ volatile("");
    })
}

/* 256 iterations in as many tasks as the runtime likes; a step is a loop. */
static long long taskloop_default(long n)
{
    BY_ONE(for (long i = 0; i < n; i++) {
        _Pragma("omp taskloop") for (int k = 0; k < 256; k++) __asm__ volatile("");
    })
}

/* The same in eight tasks. */
static long long taskloop_num_tasks(long n)
{
    BY_ONE(for (long i = 0; i < n; i++) {
        _Pragma("omp taskloop num_tasks(8)") for (int k = 0; k < 256; k++) __asm__ volatile("");
    })
}

static const struct row rows[] = {
    ROW_OF(taskloop, 256), ROW(taskloop_default), ROW(taskloop_num_tasks),
};

FAMILY(taskloop, NULL);
