/* Explicit tasks, what they depend on, and waiting for them. */
#include "rows.h"

static long long task_producer(long n)
{
    BY_ONE(for (long i = 0; i < n; i++) {
        _Pragma("omp task") __asm__ volatile("");
    })
}

static long long task_producer_1us(long n)
{
    BY_ONE(for (long i = 0; i < n; i++) {
        _Pragma("omp task firstprivate(i)") grind((unsigned)i, 1000);
    })
}

struct data {
    char bytes[64];
};

/* What is firstprivate has to be copied, as C++ copies objects. */
static long long task_copied(long n)
{
    struct data data = {{1}};
    BY_ONE(for (long i = 0; i < n; i++) {
        _Pragma("omp task firstprivate(data)") __asm__ volatile("" : : "r"(data.bytes[0]));
    })
}

static long long task_copied_final(long n)
{
    struct data data = {{1}};
    BY_ONE(_Pragma("omp task final(1)") for (long i = 0; i < n; i++) {
        _Pragma("omp task firstprivate(data)") __asm__ volatile("" : : "r"(data.bytes[0]));
    })
}

static long long task_all(long n)
{
    IN_REGION(for (long i = 0; i < n / threads; i++) {
        _Pragma("omp task") __asm__ volatile("");
    })
}

static long long task_serial(long n)
{
    SERIALLY(for (long i = 0; i < n; i++) {
        _Pragma("omp task") __asm__ volatile("");
    })
}

static long long task_if0(long n)
{
    volatile int no = 0;
    BY_ONE(for (long i = 0; i < n; i++) {
        _Pragma("omp task if (no)") __asm__ volatile("");
    })
}

static long long task_taskwait(long n)
{
    BY_ONE(for (long i = 0; i < n; i++) {
        _Pragma("omp task") __asm__ volatile("");
        _Pragma("omp taskwait")
    })
}

static long long taskwait_empty(long n)
{
    BY_ONE(for (long i = 0; i < n; i++) {
        _Pragma("omp taskwait")
    })
}

static long long taskgroup_empty(long n)
{
    BY_ONE(for (long i = 0; i < n; i++) {
        _Pragma("omp taskgroup") __asm__ volatile("");
    })
}

static long fib(int n)
{
    long a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

/* One operation is one task of the recursion: fib(16) makes 3192. */
static long long fib_tasks(long n)
{
    BY_ONE(for (long i = 0; i < n; i += 3192) { sink = (unsigned)fib(16); })
}

static long long depend_chain(long n)
{
    static int cell __attribute__((unused));
    BY_ONE(for (long i = 0; i < n; i++) {
        _Pragma("omp task depend(inout : cell)") __asm__ volatile("");
    })
}

static long long depend_wide(long n)
{
    static int cells[64] __attribute__((unused));
    BY_ONE(for (long i = 0; i < n; i++) {
        _Pragma("omp task depend(inout : cells[i % 64])") __asm__ volatile("");
    })
}

/* Readers of one cell, and now and then a writer. */
static long long depend_readers(long n)
{
    static int cell __attribute__((unused));
    BY_ONE(for (long i = 0; i < n; i += 16) {
        _Pragma("omp task depend(inout : cell)") __asm__ volatile("");
        for (int k = 1; k < 16; k++) {
            _Pragma("omp task depend(in : cell)") __asm__ volatile("");
        }
    })
}

static long long depend_mutex(long n)
{
    static int cell __attribute__((unused));
    BY_ONE(for (long i = 0; i < n; i++) {
        _Pragma("omp task depend(mutexinoutset : cell)") __asm__ volatile("");
    })
}

static long long task_args(long n)
{
    double a = 1, b = 2;
    int c = 3;
    BY_ONE(for (long i = 0; i < n; i++) {
        _Pragma("omp task firstprivate(a, b, c, i)") __asm__ volatile("" ::"x"(a + b), "r"(c + i));
    })
}

static long long task_priority(long n)
{
    BY_ONE(for (long i = 0; i < n; i++) {
        _Pragma("omp task priority(1)") __asm__ volatile("");
    })
}

/* Every thread makes tasks of eight priorities, most of which others may take. */
static long long task_priorities(long n)
{
    IN_REGION(for (long i = 0; i < n; i += threads) {
        _Pragma("omp task priority(i / threads % 8 + 1)") grind(7, 20);
    })
}

/* Every thread makes a task, and a barrier waits for them. */
static long long task_barrier(long n)
{
    IN_REGION(for (long i = 0; i < n; i++) {
        _Pragma("omp task") __asm__ volatile("");
        _Pragma("omp barrier")
    })
}

static long long task_final(long n)
{
    BY_ONE(_Pragma("omp task final(1)") for (long i = 0; i < n; i++) {
        _Pragma("omp task") __asm__ volatile("");
    })
}

static long long taskyield(long n)
{
    BY_ONE(for (long i = 0; i < n; i++) {
        _Pragma("omp taskyield")
    })
}

static const struct row rows[] = {
    ROW(task_producer), ROW(task_producer_1us), ROW(task_copied), ROW(task_copied_final),
    ROW(task_all), ROW(task_serial), ROW(task_if0), ROW(task_taskwait), ROW(taskwait_empty),
    ROW(taskgroup_empty), ROW_OF(fib_tasks, 3192), ROW(depend_chain), ROW(depend_wide),
    ROW_OF(depend_readers, 16), ROW(depend_mutex), ROW(task_args), ROW(task_priority),
    ROW(task_priorities), ROW(task_barrier),
    ROW(task_final), ROW(taskyield),
};

FAMILY(task, NULL);
