/*
 * What a row is, and what it is written with. A row's code stays in the file of its loop: what
 * compilers make of it is then what they make of a program's.
 */
#ifndef ROWS_H
#define ROWS_H
#define _GNU_SOURCE
#include <omp.h>
#include <stddef.h>
#include <time.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Does `n` operations and gives the nanoseconds they took. */
typedef long long row_function(long n);

struct row {
    const char *name;
    row_function *function;
    long block; /* operations are done in blocks of so many */
    long most;  /* one takes long: a repetition has so many; 0: as many as fit */
};

#define ROW(name) {#name, name, 1, 0}
#define ROW_OF(name, block) {#name, name, block, 0}
#define ROW_AT_MOST(name, most) {#name, name, 1, most}

/* The rows of one file. */
struct family {
    const struct row *rows;
    size_t length;
    void (*prepare)(void); /* before the first of them, or null */
};

#define FAMILY(name, prepare) const struct family name##_family = {rows, LENGTH(rows), prepare}

/* Shared by the files of this program and by no library: found without a detour. */
#define OURS extern __attribute__((visibility("hidden")))

OURS const struct family parallel_family, wake_family, team_family, loop_family, mutex_family,
    routine_family, reduction_family, task_family, handoff_family, taskloop_family;

/* The first of the process, which starts the runtime: measured once, before all rows. */
OURS void first_region(void);

OURS int threads;
OURS volatile unsigned sink;

/* When each thread left the barrier before a row's work, a line apart. */
struct begin {
    long long at;
    char apart[120];
};
OURS struct begin began[1024];

static inline long long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

/* A few hundred picoseconds a step that no compiler removes. */
static inline unsigned grind(unsigned x, int steps)
{
    for (int i = 0; i < steps; i++) {
        x = x * 1664525u + 1013904223u;
        __asm__ volatile("" : "+r"(x));
    }
    return x;
}

static inline void note_begin(void)
{
    int me = omp_get_thread_num();
    if (me < 1024) began[me].at = now();
}

/* The first to begin: in a crowd the others' work may be done before the primary runs again. */
static inline long long first_begin(void)
{
    int threads = omp_get_num_threads();
    long long first = began[0].at;
    for (int i = 1; i < threads && i < 1024; i++)
        if (began[i].at < first) first = began[i].at;
    return first;
}

/* Runs `body` inside one region, timed between barriers from the first thread's begin. */
#define IN_REGION(body) \
    long long start_ = 0, end_ = 0; \
    _Pragma("omp parallel") \
    { \
        _Pragma("omp barrier") \
        note_begin(); \
        body; \
        _Pragma("omp barrier") \
        _Pragma("omp master") \
        { \
            end_ = now(); \
            start_ = first_begin(); \
        } \
    } \
    return end_ - start_;

/* Runs `body` outside of any region. */
#define SERIALLY(body) \
    long long start_ = now(); \
    body; \
    return now() - start_;

/* Runs `body` by one thread of a team whose others can take tasks. */
#define BY_ONE(body) \
    long long start_ = 0, end_ = 0; \
    _Pragma("omp parallel") \
    { \
        _Pragma("omp barrier") \
        _Pragma("omp single") \
        { \
            start_ = now(); \
            _Pragma("omp taskgroup") { body; } \
            end_ = now(); \
        } \
    } \
    return end_ - start_;

#endif
