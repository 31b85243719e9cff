/* Micro-benchmarks: what one OpenMP operation costs.
 *
 * `micro [ROW…]` runs the rows named (all, without names) and prints `row unit value` for each: the
 * median over repetitions of the time per operation. `micro --list` prints the names. A row sets its
 * own number of operations so that one repetition takes about BENCH_MS milliseconds (default 10);
 * BENCH_REPS repetitions are made (default 7). OMP_NUM_THREADS sets the team size.
 *
 * With a tool that counts events (`bench_events`, see tools/) a fourth word is events per operation.
 * With BENCH_OPS=N a row does about N operations and is not timed; under callgrind each row then
 * leaves a file of its own, whose totals are theirs.
 *
 * The same binary is run on every runtime that is compared, so nothing here may depend on one. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_ZERO_STATS ((void)0)
#define CALLGRIND_DUMP_STATS_AT(name) ((void)(name))
#endif

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static long long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static int threads;
static volatile unsigned sink;

/* A few hundred picoseconds a step that no compiler removes. */
static unsigned grind(unsigned x, int steps)
{
    for (int i = 0; i < steps; i++) {
        x = x * 1664525u + 1013904223u;
        __asm__ volatile("" : "+r"(x));
    }
    return x;
}

/* Each row does `n` operations and gives the nanoseconds they took. */
typedef long long row_function(long n);

/* When each thread left the barrier before a row's work, a line apart. */
static struct {
    long long at;
    char apart[120];
} began[1024];

static void note_begin(void)
{
    int me = omp_get_thread_num();
    if (me < 1024) began[me].at = now();
}

/* The first to begin: in a crowd the others' work may be done before the primary runs again. */
static long long first_begin(void)
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

/* Loop rows count iterations where a chunk is handed out for each, and loops otherwise. */
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

/* Acquisitions by the whole team are counted together. */
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

static long long reduction1(long n)
{
    double a = 0;
    SERIALLY(for (long i = 0; i < n; i++) {
        _Pragma("omp parallel reduction(+ : a)") a += 1;
    })
}

static long long reduction8(long n)
{
    double a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
    SERIALLY(for (long i = 0; i < n; i++) {
        _Pragma("omp parallel reduction(+ : a, b, c, d, e, f, g, h)")
        {
            a += 1;
            b += 1;
            c += 1;
            d += 1;
            e += 1;
            f += 1;
            g += 1;
            h += 1;
        }
    })
}

static long long reduction_in_region(long n)
{
    static double a;
    IN_REGION(for (long i = 0; i < n; i++) {
        _Pragma("omp for reduction(+ : a)") for (int k = 0; k < 2; k++) a += 1;
    })
}

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

static long long taskloop(long n)
{
    BY_ONE(for (long i = 0; i < n; i += 256) {
        _Pragma("omp taskloop grainsize(1)") for (int k = 0; k < 256; k++) __asm__ volatile("");
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

/* Loops of 256 iterations, as many tasks as the runtime likes. */
static long long taskloop_default(long n)
{
    BY_ONE(for (long i = 0; i < n; i++) {
        _Pragma("omp taskloop") for (int k = 0; k < 256; k++) __asm__ volatile("");
    })
}

static long long taskloop_num_tasks(long n)
{
    BY_ONE(for (long i = 0; i < n; i++) {
        _Pragma("omp taskloop num_tasks(8)") for (int k = 0; k < 256; k++) __asm__ volatile("");
    })
}

static const struct {
    const char *name;
    row_function *function;
    long block; /* operations are done in blocks of so many */
} rows[] = {
#define ROW(name) {#name, name, 1}
#define ROW_OF(name, block) {#name, name, block}
    ROW(parallel_empty),       ROW(parallel_args),       ROW(parallel_if0),
    ROW_OF(parallel_resize, 2),     ROW(parallel_work10us),   ROW(nested_2x2),
    ROW(nested_serial),        ROW(barrier),             ROW(single),
    ROW(single_nowait),        ROW(single_copyprivate),  ROW(masked),
    ROW(sections4),            ROW(for_static),          ROW(for_static_nowait),
    ROW(parallel_for),         ROW(parallel_for_dynamic), ROW(for_dynamic1),
    ROW(for_dynamic1_100ns),   ROW(for_dynamic1_ull),    ROW(for_dynamic_short),
    ROW(for_guided),           ROW(for_runtime_dynamic), ROW(for_ordered_static1),
    ROW(for_ordered_dynamic1), ROW(critical),            ROW(critical_work),
    ROW(critical_free),        ROW(lock_contended),      ROW(lock_free),
    ROW(nest_lock_free),       ROW(reduction1),          ROW(reduction8),
    ROW(reduction_in_region),  ROW(task_producer),       ROW(task_producer_1us),
    ROW(task_all),             ROW(task_serial),         ROW(task_if0),
    ROW(task_taskwait),        ROW(taskwait_empty),      ROW(taskgroup_empty),
    ROW_OF(fib_tasks, 3192),           ROW(depend_chain),        ROW(depend_wide),
    ROW_OF(depend_readers, 16),        ROW(depend_mutex),        ROW(task_args),
    ROW(task_priority),        ROW(task_priorities),     ROW(task_barrier),
    ROW(task_final),           ROW(taskyield),
    ROW_OF(taskloop, 256),     ROW(taskloop_default),    ROW(taskloop_num_tasks),
};

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static long setting(const char *name, long fallback)
{
    const char *text = getenv(name);
    long value = text ? atol(text) : 0;
    return value > 0 ? value : fallback;
}

static long whole_blocks(double operations, long block)
{
    long blocks = (long)(operations / (double)block);
    return (blocks < 1 ? 1 : blocks) * block;
}

static void measure(const char *name, row_function *function, long block)
{
    double wanted = (double)setting("BENCH_MS", 10) * 1e6, values[101];
    long reps = setting("BENCH_REPS", 7), n = whole_blocks(64, block);
    if (reps > 101)
        reps = 101;
    function(n);
    if (setting("BENCH_OPS", 0)) {
        n = whole_blocks((double)setting("BENCH_OPS", 0), block);
        CALLGRIND_ZERO_STATS;
        function(n);
        CALLGRIND_DUMP_STATS_AT(name);
        printf("%s ops %ld\n", name, n);
        return;
    }
    for (;;) {
        double took = (double)function(n);
        if (took >= wanted / 4 || n > 1l << 40) {
            n = whole_blocks((double)n * wanted / (took > 1 ? took : 1), block);
            break;
        }
        n *= took < wanted / 64 ? 8 : 2;
    }
    for (long r = 0; r < reps; r++)
        values[r] = (double)function(n) / (double)n;
    qsort(values, (size_t)reps, sizeof values[0], by_value);
    printf("%s ns %.3f", name, values[reps / 2]);
    long (*events)(void) = (long (*)(void))dlsym(RTLD_DEFAULT, "bench_events");
    if (events) {
        long before = events();
        function(n);
        printf(" %.3f", (double)(events() - before) / (double)n);
    }
    puts("");
    fflush(stdout);
}

static void first_region(void)
{
    long long start = now();
#pragma omp parallel
    __asm__ volatile("");
    printf("first_region ns %.3f\n", (double)(now() - start));
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "--list")) {
        puts("first_region");
        for (size_t r = 0; r < LENGTH(rows); r++)
            puts(rows[r].name);
        return 0;
    }
    first_region();
    threads = omp_get_max_threads();
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest_lock);
    for (size_t r = 0; r < LENGTH(rows); r++) {
        int wanted = argc == 1;
        for (int a = 1; a < argc; a++)
            wanted |= !strcmp(argv[a], rows[r].name);
        if (wanted)
            measure(rows[r].name, rows[r].function, rows[r].block);
    }
    return 0;
}
