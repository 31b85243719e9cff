/* A thread of the program ends while a detached task of its is not complete. The threads that come
 * after it wait for their own tasks and for no others, before that task's event is fulfilled and
 * after it. */
#include "../conformance/check.h"
#include <pthread.h>
#include <unistd.h>

enum { ROUNDS = 12 };
static omp_event_handle_t left[ROUNDS];
static int count;

static void *leaves(void *unused)
{
    omp_event_handle_t event;
#pragma omp task detach(event)
    {
        left[count++] = event;
#pragma omp task
        __asm__ volatile("");
    }
    return unused;
}

static void *waits(void *unused)
{
    for (int round = 0; round < 5; round++) {
        int done = 0;
        for (int i = 0; i < 3; i++) {
#pragma omp task shared(done) if (i != 1)
            __atomic_add_fetch(&done, 1, __ATOMIC_RELAXED);
        }
#pragma omp taskwait
        CHECK_EQ(done, 3);
        done = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
        {
            for (int i = 0; i < 6; i++) {
#pragma omp task shared(done)
                {
                    usleep(20);
                    __atomic_add_fetch(&done, 1, __ATOMIC_RELAXED);
                }
            }
#pragma omp taskwait
            CHECK_EQ(__atomic_load_n(&done, __ATOMIC_RELAXED), 6);
        }
    }
    return unused;
}

static void run(void *(*what)(void *))
{
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, 0, what, 0), 0);
    pthread_join(thread, 0);
}

int main(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        run(leaves);
        run(waits);
        if (round % 3 == 0)
            omp_fulfill_event(left[--count]);
        run(waits);
    }
    while (count > 0)
        omp_fulfill_event(left[--count]);
    run(waits);
    return check_done();
}
