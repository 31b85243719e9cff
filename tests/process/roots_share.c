/* Two threads of the program open regions at the same time. What the second one gets while the
 * first one has four threads at work: by dyn-var what the processors leave, and otherwise what the
 * arguments say for the limits in the environment. */
#include "../conformance/check.h"
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t meet;
static int wanted_beside, processors;

static int region(int dynamic, int hold)
{
    int size = 0;
    omp_set_dynamic(dynamic);
#pragma omp parallel num_threads(4)
    {
#pragma omp single
        size = omp_get_num_threads();
        if (hold && omp_get_thread_num() == 0) {
            pthread_barrier_wait(&meet); /* the other one may open its regions now */
            pthread_barrier_wait(&meet); /* it has */
        }
    }
    return size;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static void *second(void *unused)
{
    (void)unused;
    omp_set_dynamic(
        0); /* first contact: there are two initial threads when the first region begins */
    pthread_barrier_wait(&meet);
    pthread_barrier_wait(&meet);
    /* Four work, and this thread. */
    int left = processors > 5 ? processors - 4 : 1;
    CHECK_EQ(region(1, 0), least(left, wanted_beside));
    CHECK_EQ(region(0, 0), wanted_beside);
    pthread_barrier_wait(&meet);
    pthread_barrier_wait(&meet);
    /* Nobody else works any more. */
    CHECK_EQ(region(1, 0), least(least(processors, 4), wanted_beside));
    return 0;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    wanted_beside = argc > 1 ? atoi(argv[1]) : 4;
    processors = omp_get_num_procs();
    omp_set_dynamic(0);
    pthread_barrier_init(&meet, 0, 2);
    CHECK_EQ(pthread_create(&thread, 0, second, 0), 0);
    pthread_barrier_wait(&meet);
    CHECK_EQ(region(0, 1), 4);
    pthread_barrier_wait(&meet);
    pthread_join(thread, 0);
    return check_done();
}
