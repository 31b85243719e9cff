/* Workers have the affinity mask of the thread that made them, wherever they began: from the first
 * thing that they run, with as many threads as there are processors and with more, and after the
 * program has narrowed its mask. */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static int bad;

static void region(const char *when, int threads, const cpu_set_t *wanted)
{
#pragma omp parallel num_threads(threads)
    {
        cpu_set_t mine;
        CPU_ZERO(&mine);
        sched_getaffinity(0, sizeof mine, &mine);
        if (!CPU_EQUAL(&mine, wanted)) {
#pragma omp critical
            {
                printf("%s: thread %d has %d processors instead of %d\n", when,
                       omp_get_thread_num(), CPU_COUNT(&mine), CPU_COUNT(wanted));
                bad = 1;
            }
        }
    }
}

/* A root thread of its own, so that its workers are new. */
static void *narrow(void *mask)
{
    sched_setaffinity(0, sizeof(cpu_set_t), mask);
    region("narrowed", 7, mask);
    return 0;
}

int main(void)
{
    cpu_set_t all, one;
    pthread_t thread;
    sched_getaffinity(0, sizeof all, &all);
    region("at first", CPU_COUNT(&all) > 1 ? CPU_COUNT(&all) : 2, &all);
    region("more", CPU_COUNT(&all) + 3, &all);
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE && !CPU_COUNT(&one); cpu++)
        if (CPU_ISSET(cpu, &all))
            CPU_SET(cpu, &one);
    pthread_create(&thread, 0, narrow, &one);
    pthread_join(thread, 0);
    if (!bad)
        puts("ok");
    return bad;
}
