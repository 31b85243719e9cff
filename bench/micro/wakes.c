/* A region behind a time in which the program works serially, or sleeps: what the region takes, and
 * what the other threads' waiting takes from the machine.
 *
 * `wake_T` is the region alone, the serial part before it is not counted. `wake_T_cpu` is the
 * processor time of all threads but the primary, from one region to the next: a runtime whose
 * threads wait without sleeping has about T times the number of its threads there. `wake_T_whole`
 * is the serial part and the region. */
#include "rows.h"
#include <unistd.h>

static double steps_per_ns;

static void prepare_steps(void)
{
    enum { STEPS = 200000 };
    for (int i = 0; i < 10; i++) {
        long long start = now();
        sink = grind((unsigned)i, STEPS);
        double rate = STEPS / (double)(now() - start);
        if (rate > steps_per_ns) steps_per_ns = rate;
    }
}

static void work(long ns)
{
    sink = grind(sink, (int)((double)ns * steps_per_ns));
}

static void rest(long ns)
{
    usleep((unsigned)(ns / 1000));
}

static long long clock_of(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

/* Processor time of all threads but the calling one. */
static long long others_cpu(void)
{
    return clock_of(CLOCK_PROCESS_CPUTIME_ID) - clock_of(CLOCK_THREAD_CPUTIME_ID);
}

static long long regions_after(void (*pass)(long), long gap, long n)
{
    long long took = 0;
    for (long i = 0; i < n; i++) {
        pass(gap);
        long long start = now();
        _Pragma("omp parallel") __asm__ volatile("");
        took += now() - start;
    }
    return took;
}

#define WAKE(name, pass, gap) \
    static long long name(long n) { return regions_after(pass, gap, n); } \
    static long long name##_cpu(long n) \
    { \
        long long before = others_cpu(); \
        regions_after(pass, gap, n); \
        return others_cpu() - before; \
    }

WAKE(wake_100us, work, 100 * 1000)
WAKE(wake_1ms, work, 1000 * 1000)
WAKE(wake_20ms, work, 20 * 1000 * 1000)
WAKE(wake_200ms, work, 200 * 1000 * 1000)
WAKE(wake_sleep1ms, rest, 1000 * 1000)

static long long wake_100us_whole(long n)
{
    SERIALLY(regions_after(work, 100 * 1000, n))
}

/* Serial parts of many lengths: there is nothing to learn. */
static void work_irregularly(long most)
{
    static unsigned seed = 1;
    seed = seed * 1664525u + 1013904223u;
    work((long)((double)most * (seed >> 8) / (1 << 24)));
}
WAKE(wake_0to40ms, work_irregularly, 40 * 1000 * 1000)

/* Serial parts alike, but for one in eight. */
static void work_mostly(long usual)
{
    static unsigned count;
    work(++count % 8 ? usual : usual / 20);
}
WAKE(wake_mostly20ms, work_mostly, 20 * 1000 * 1000)

#define BOTH(name, most) ROW_AT_MOST(name, most), ROW_AT_MOST(name##_cpu, most)

static const struct row rows[] = {
    BOTH(wake_100us, 100), ROW_AT_MOST(wake_100us_whole, 100), BOTH(wake_1ms, 20),
    BOTH(wake_sleep1ms, 20), BOTH(wake_20ms, 5), BOTH(wake_mostly20ms, 8),
    BOTH(wake_0to40ms, 5), BOTH(wake_200ms, 1),
};

FAMILY(wake, prepare_steps);
