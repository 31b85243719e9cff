/* The program binds itself to one processor after the runtime has started, and to all again:
 * regions go on, and the number of processors is what the compiler's own runtime says. */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>

static cpu_set_t all, one;

static long sum_of_regions(void)
{
    long sum = 0;
    for (int region = 0; region < 20; region++) {
#pragma omp parallel num_threads(2) reduction(+ : sum)
        sum += 1;
    }
    return sum;
}

static int wrong(const char *when, long is, long wanted)
{
    if (is != wanted)
        printf("%s: %ld instead of %ld\n", when, is, wanted);
    return is != wanted;
}

int main(void)
{
    int bad = 0, before = omp_get_num_procs();
    sched_getaffinity(0, sizeof all, &all);
    CPU_ZERO(&one);
    for (int cpu = CPU_SETSIZE - 1; cpu >= 0; cpu--) {
        if (CPU_ISSET(cpu, &all)) {
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
        }
    }
    bad |= wrong("at first", sum_of_regions(), 40);
#pragma omp parallel num_threads(2)
    sched_setaffinity(0, sizeof one, &one);
    bad |= wrong("on one processor", sum_of_regions(), 40);
#ifdef __clang__
    bad |= wrong("processors, then", omp_get_num_procs(), before);
#else
    bad |= wrong("processors, then", omp_get_num_procs(), 1);
#endif
#pragma omp parallel num_threads(2)
    sched_setaffinity(0, sizeof all, &all);
    bad |= wrong("on all again", sum_of_regions(), 40);
    bad |= wrong("processors at last", omp_get_num_procs(), before);
    if (!bad)
        puts("ok");
    return bad;
}
