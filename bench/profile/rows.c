/* What profiling costs: a program for each kind of construct, for `cargo xtask bench profile-cost`.
 *
 *     rows ROW [TIMES]
 *     rows of COMMAND ...
 *
 * does the row's work TIMES times, always the same amount, and prints the microseconds of processor
 * time that the process has used, those that the row took by the clock, and a checksum. A row's
 * constructs hold as much work as its name says.
 * `rows` alone lists the rows, each with the TIMES that take about a second of two processors.
 * `rows of` executes the command and prints the microseconds of processor time that it and those
 * that it waited for used, from their begin to their end. */
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Steps that take about a microsecond, of some four operations that wait for each other. */
enum { MICROSECOND = 400, MOST_THREADS = 256 };

static struct {
    double value;
    char rest[120];
} state[MOST_THREADS];

/* Each step needs the one before, so no compiler can make this much shorter than another. */
static double chain(double x, long steps)
{
    for (long i = 0; i < steps; i++)
        x = 3.7 * x * (1.0 - x);
    return x;
}

static void work(long steps)
{
    double *mine = &state[omp_get_thread_num() % MOST_THREADS].value;
    *mine = chain(*mine, steps);
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

static void fib_tasks(long times)
{
    long sum = 0;
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < times; i++)
        sum += fib(20);
    state[0].value += (double)sum * 1e-12;
}

static void regions(long times, long steps)
{
    for (long i = 0; i < times; i++) {
#pragma omp parallel
        work(steps);
    }
}

static void region_8us(long times) { regions(times, 8 * MICROSECOND); }
static void region_100us(long times) { regions(times, 100 * MICROSECOND); }
static void region_1ms(long times) { regions(times, 1000 * MICROSECOND); }

static void dynamic(long times, long steps)
{
#pragma omp parallel
    for (long i = 0; i < times; i++) {
#pragma omp for schedule(dynamic, 1)
        for (int k = 0; k < 1000; k++)
            work(steps);
    }
}

static void dynamic_1us(long times) { dynamic(times, MICROSECOND); }
static void dynamic_tiny(long times) { dynamic(times, 2); }

static void static_2us(long times)
{
#pragma omp parallel
    for (long i = 0; i < times; i++) {
#pragma omp for schedule(static)
        for (int k = 0; k < 4; k++)
            work(MICROSECOND);
    }
}

static void static_nowait_1us(long times)
{
#pragma omp parallel
    for (long i = 0; i < times; i++) {
#pragma omp for schedule(static) nowait
        for (int k = 0; k < 2; k++)
            work(MICROSECOND);
    }
}

static void ordered_1us(long times)
{
#pragma omp parallel
    for (long i = 0; i < times; i++) {
#pragma omp for schedule(static, 1) ordered
        for (int k = 0; k < 1000; k++) {
            work(MICROSECOND);
#pragma omp ordered
            work(2);
        }
    }
}

static void critical_1us(long times)
{
#pragma omp parallel
    for (long i = 0; i < times; i++) {
        work(MICROSECOND);
#pragma omp critical
        work(2);
    }
}

static void lock_free_1us(long times)
{
#pragma omp parallel
    {
        omp_lock_t mine;
        omp_init_lock(&mine);
        for (long i = 0; i < times; i++) {
            omp_set_lock(&mine);
            work(MICROSECOND);
            omp_unset_lock(&mine);
        }
        omp_destroy_lock(&mine);
    }
}

static void single_1us(long times)
{
#pragma omp parallel
    for (long i = 0; i < times; i++) {
#pragma omp single
        work(MICROSECOND);
    }
}

static void barrier_1us(long times)
{
#pragma omp parallel
    for (long i = 0; i < times; i++) {
        work(MICROSECOND);
#pragma omp barrier
    }
}

static void masked_1us(long times)
{
#pragma omp parallel
    for (long i = 0; i < times; i++) {
        work(MICROSECOND);
#pragma omp master
        work(2);
    }
}

static void sections_1us(long times)
{
#pragma omp parallel
    for (long i = 0; i < times; i++) {
#pragma omp sections
        {
#pragma omp section
            work(MICROSECOND);
#pragma omp section
            work(MICROSECOND);
        }
    }
}

static void reduction_1us(long times)
{
    double sum = 0;
#pragma omp parallel
    for (long i = 0; i < times; i++) {
#pragma omp for reduction(+ : sum)
        for (int k = 0; k < 2; k++) {
            work(MICROSECOND);
            sum += 1e-9;
        }
    }
    state[0].value += sum;
}

static void taskwait_1us(long times)
{
#pragma omp parallel
    for (long i = 0; i < times; i++) {
#pragma omp task
        work(MICROSECOND);
#pragma omp taskwait
    }
}

static void taskloop_1us(long times)
{
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < times; i++) {
#pragma omp taskloop grainsize(1)
        for (int k = 0; k < 1000; k++)
            work(MICROSECOND);
    }
}

static const struct {
    const char *name;
    void (*run)(long);
    long times;
} rows[] = {
    {"fib", fib_tasks, 1000},
    {"region_8us", region_8us, 60000},
    {"region_100us", region_100us, 5000},
    {"region_1ms", region_1ms, 500},
    {"dynamic_tiny", dynamic_tiny, 60000},
    {"dynamic_1us", dynamic_1us, 1000},
    {"static_2us", static_2us, 250000},
    {"static_nowait_1us", static_nowait_1us, 500000},
    {"sections_1us", sections_1us, 350000},
    {"single_1us", single_1us, 350000},
    {"masked_1us", masked_1us, 500000},
    {"ordered_1us", ordered_1us, 1000},
    {"critical_1us", critical_1us, 500000},
    {"lock_free_1us", lock_free_1us, 500000},
    {"barrier_1us", barrier_1us, 500000},
    {"reduction_1us", reduction_1us, 500000},
    {"taskwait_1us", taskwait_1us, 500000},
    {"taskloop_1us", taskloop_1us, 1000},
};

static long used(int whose)
{
    struct rusage usage;
    getrusage(whose, &usage);
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000L + usage.ru_utime.tv_usec +
           usage.ru_stime.tv_usec;
}

static int of(char **command)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        execvp(command[0], command);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return 1;
    printf("%ld\n", used(RUSAGE_CHILDREN));
    return status != 0;
}

int main(int count, char **words)
{
    if (count > 2 && strcmp(words[1], "of") == 0)
        return of(words + 2);
    const int all = (int)(sizeof rows / sizeof *rows);
    for (int i = 0; i < MOST_THREADS; i++)
        state[i].value = 0.1 + 0.001 * i;
    double begin = omp_get_wtime();
    for (int r = 0; r < all; r++) {
        if (count < 2)
            printf("%s %ld\n", rows[r].name, rows[r].times);
        else if (strcmp(words[1], rows[r].name) == 0)
            rows[r].run(count > 2 ? atol(words[2]) : rows[r].times);
    }
    double sum = 0;
    for (int i = 0; i < MOST_THREADS; i++)
        sum += state[i].value;
    if (count > 1)
        printf("%ld %.0f %.6f\n", used(RUSAGE_SELF), (omp_get_wtime() - begin) * 1e6, sum);
    return 0;
}
