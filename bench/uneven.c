/* Uneven work: `uneven [ROW…]` prints `row x ratio` for each row, where ratio is the time it took
 * over the time that no runtime can beat: max(longest chain, all work / processors in use). `uneven
 * --list` prints the names.
 *
 * A row is SHAPE-SIZES-PLACES. The shape says by which construct the items are handed out; the
 * sizes how long the few long items take beside the many short ones; the places where in the order
 * of making the long ones stand. A row is run with UNEVEN_SEEDS seeds (default 5), which say how
 * many long ones there are and where. Its figure is the mean over the seeds: how the items happen
 * to fall into a runtime's chunks is luck. Of each seed it is the least of three times, since what
 * the machine does besides only adds. OMP_NUM_THREADS sets the team size.
 *
 * The same binary is run on every runtime that is compared, so nothing here may depend on one. */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ITEMS = 640, EVERY = 20, CHAINS = 8, TIMES = 3 };

/* Long items of the present seed, where they stand together. */
static int together;
static int steps[ITEMS];
static volatile unsigned sink;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void work(int item)
{
    unsigned x = (unsigned)item;
    for (int i = 0; i < steps[item]; i++) {
        x = x * 1664525u + 1013904223u;
        __asm__ volatile("" : "+r"(x));
    }
    sink = x;
}

/* ---- Shapes: each executes every item once, in a region of all threads. ---- */

#define BY_ONE _Pragma("omp parallel") _Pragma("omp single")

static void tasks(void)
{
    BY_ONE for (int i = 0; i < ITEMS; i++)
    {
#pragma omp task
        work(i);
    }
}

/* The producer has as much to do between its tasks as a short one takes. */
static void producer(void)
{
    BY_ONE for (int i = 0; i < ITEMS; i += 2)
    {
#pragma omp task
        work(i);
        work(i + 1);
    }
}

/* Each thread makes its share, and the shares are as uneven as the items. */
static void everyone(void)
{
#pragma omp parallel
#pragma omp for schedule(static)
    for (int i = 0; i < ITEMS; i++) {
#pragma omp task
        work(i);
    }
}

static void taskloop1(void)
{
    BY_ONE
#pragma omp taskloop grainsize(1)
    for (int i = 0; i < ITEMS; i++)
        work(i);
}

static void taskloop(void)
{
    BY_ONE
#pragma omp taskloop
    for (int i = 0; i < ITEMS; i++)
        work(i);
}

static void taskloop_nogroup(void)
{
    BY_ONE
#pragma omp taskloop num_tasks(ITEMS / 2) nogroup
    for (int i = 0; i < ITEMS; i++)
        work(i);
}

/* A taskloop in each of a few tasks. */
static void taskloops(void)
{
    BY_ONE for (int part = 0; part < 4; part++)
    {
#pragma omp task
#pragma omp taskloop grainsize(1)
        for (int i = part * ITEMS / 4; i < (part + 1) * ITEMS / 4; i++)
            work(i);
    }
}

static void branch(int first, int end)
{
    if (end - first == 1) {
        work(first);
        return;
    }
    int middle = first + (end - first + 3) / 4;
#pragma omp task
    branch(first, middle);
#pragma omp task
    branch(middle, end);
#pragma omp taskwait
}

static void tree(void)
{
    BY_ONE branch(0, ITEMS);
}

static void chains(void)
{
    static char cell[CHAINS] __attribute__((unused));
    BY_ONE for (int i = 0; i < ITEMS; i++)
    {
#pragma omp task depend(inout : cell[i % CHAINS])
        work(i);
    }
}

static void dynamic(void)
{
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < ITEMS; i++)
        work(i);
}

static void monotonic(void)
{
#pragma omp parallel for schedule(monotonic : dynamic)
    for (int i = 0; i < ITEMS; i++)
        work(i);
}

static void guided(void)
{
#pragma omp parallel for schedule(guided)
    for (int i = 0; i < ITEMS; i++)
        work(i);
}

/* ---- Places of the long items. ---- */

static unsigned dice;

static unsigned next_random(void)
{
    dice = dice * 1103515245u + 12345u;
    return dice >> 8;
}

static int at_first(int i, int from)
{
    (void)from;
    return i < together;
}
static int at_last(int i, int from)
{
    (void)from;
    return i >= ITEMS - together;
}
static int every(int i, int from) { return (i + from) % EVERY == 0; }
static int clustered(int i, int from) { return i >= from && i < from + together; }
static int anywhere(int i, int from)
{
    (void)i;
    (void)from;
    return next_random() % EVERY == 0;
}

static const struct shape {
    const char *name;
    void (*run)(void);
    int is_chained;
} shapes[] = {
    {"tasks", tasks, 0},         {"producer", producer, 0},   {"everyone", everyone, 0},
    {"taskloop1", taskloop1, 0}, {"taskloop", taskloop, 0},   {"nogroup", taskloop_nogroup, 0},
    {"taskloops", taskloops, 0}, {"tree", tree, 0},           {"chains", chains, 1},
    {"dynamic", dynamic, 0},     {"monotonic", monotonic, 0}, {"guided", guided, 0},
};

/* Steps of a short item and of a long one: some tenths of a nanosecond each. */
static const struct sizes {
    const char *name;
    int few, many;
} sizes[] = {{"20us", 150, 60000}, {"500us", 150, 1500000}, {"mixed", 3000, 60000}};

static const struct places {
    const char *name;
    int (*is_long)(int item, int from);
} places[] = {{"first", at_first}, {"last", at_last}, {"every", every},
              {"clustered", clustered}, {"random", anywhere}};

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static long setting(const char *name, long fallback)
{
    const char *text = getenv(name);
    long value = text ? atol(text) : 0;
    return value > 0 ? value : fallback;
}

/* Seconds that a step takes, as long as nobody disturbs it. */
static double step_time(void)
{
    double least = 1;
    steps[0] = 1000000;
    for (int i = 0; i < 7; i++) {
        double start = now();
        work(0);
        double took = (now() - start) / steps[0];
        if (took < least) least = took;
    }
    return least;
}

static double bound(const struct shape *shape, double step)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    int processors = CPU_COUNT(&set), threads = omp_get_max_threads();
    if (threads < processors) processors = threads;
    double all = 0, chain[CHAINS] = {0}, longest = 0;
    for (int i = 0; i < ITEMS; i++) {
        all += steps[i];
        chain[i % CHAINS] += steps[i];
        if (steps[i] > longest) longest = steps[i];
    }
    for (int i = 0; shape->is_chained && i < CHAINS; i++)
        if (chain[i] > longest) longest = chain[i];
    double shared = all / processors;
    return (shared > longest ? shared : longest) * step;
}

static void measure(const char *name, const struct shape *shape, const struct sizes *size,
                    const struct places *place)
{
    double sum = 0;
    long seeds = setting("UNEVEN_SEEDS", 5);
    for (long seed = 0; seed < seeds; seed++) {
        double step = step_time();
        dice = (unsigned)(seed * 7919 + 1);
        together = 24 + (int)(next_random() % 17);
        long range = ITEMS - together;
        int from = (int)((seed * range + next_random() % range) / seeds);
        for (int i = 0; i < ITEMS; i++)
            steps[i] = place->is_long(i, from) ? size->many : size->few;
        double least = 1e9;
        for (int i = 0; i < TIMES; i++) {
            double start = now();
            shape->run();
            double ratio = (now() - start) / bound(shape, step);
            if (ratio < least) least = ratio;
        }
        sum += least;
    }
    printf("%s x %.3f\n", name, sum / (double)seeds);
    fflush(stdout);
}

int main(int count, char **words)
{
    int lists = count > 1 && strcmp(words[1], "--list") == 0;
#pragma omp parallel
    {
        __asm__ volatile("");
    }
    for (size_t a = 0; a < LENGTH(shapes); a++)
        for (size_t b = 0; b < LENGTH(sizes); b++)
            for (size_t c = 0; c < LENGTH(places); c++) {
                char name[80];
                snprintf(name, sizeof name, "%s-%s-%s", shapes[a].name, sizes[b].name,
                         places[c].name);
                int wanted = count == 1;
                for (int i = 1; i < count; i++)
                    wanted |= strcmp(words[i], name) == 0;
                if (lists)
                    puts(name);
                else if (wanted)
                    measure(name, &shapes[a], &sizes[b], &places[c]);
            }
    return 0;
}
