/* Micro-benchmarks: what one OpenMP operation costs; the rows are in the files beside this one.
 *
 * `micro [ROW…]` runs the rows named (all, without names) and prints `row unit value` for each: the
 * median over repetitions of the time per operation. `micro --list` prints the names. A row sets
 * its own number of operations so that one repetition takes about BENCH_MS milliseconds (default
 * 10); BENCH_REPS repetitions are made (default 7). OMP_NUM_THREADS sets the team size.
 *
 * With a tool that counts events (`bench_events`, see tools/) a fourth word is events per
 * operation. With BENCH_OPS=N a row does about N operations and is not timed; under callgrind each
 * row then leaves a file of its own, whose totals are theirs.
 *
 * The same binary is run on every runtime that is compared, so nothing here may depend on one. */
#include "rows.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_ZERO_STATS ((void)0)
#define CALLGRIND_DUMP_STATS_AT(name) ((void)(name))
#endif

static const struct family *const families[] = {
    &parallel_family,  &wake_family, &team_family,    &loop_family,     &mutex_family,
    &routine_family, &reduction_family, &task_family, &handoff_family, &taskloop_family,
};

int threads;
volatile unsigned sink;
struct begin began[1024];

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

static void measure(const struct row *row)
{
    const char *name = row->name;
    row_function *function = row->function;
    long block = row->block;
    double wanted = (double)setting("BENCH_MS", 10) * 1e6, values[101];
    long reps = setting("BENCH_REPS", 7), n = whole_blocks(64, block);
    if (reps > 101)
        reps = 101;
    if (row->most)
        n = row->most;
    function(n);
    if (setting("BENCH_OPS", 0)) {
        n = whole_blocks((double)setting("BENCH_OPS", 0), block);
        CALLGRIND_ZERO_STATS;
        function(n);
        CALLGRIND_DUMP_STATS_AT(name);
        printf("%s ops %ld\n", name, n);
        return;
    }
    while (!row->most) {
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

int main(int argc, char **argv)
{
    int list = argc > 1 && !strcmp(argv[1], "--list");
    if (list) {
        puts("first_region");
    } else {
        first_region();
        threads = omp_get_max_threads();
    }
    for (size_t f = 0; f < LENGTH(families); f++) {
        const struct family *family = families[f];
        if (!list && family->prepare)
            family->prepare();
        for (size_t r = 0; r < family->length; r++) {
            const struct row *row = &family->rows[r];
            int wanted = argc == 1;
            for (int a = 1; a < argc; a++)
                wanted |= !strcmp(argv[a], row->name);
            if (list)
                puts(row->name);
            else if (wanted)
                measure(row);
        }
    }
    return 0;
}
