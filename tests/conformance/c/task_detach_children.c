/* A child of a detached task may fulfil its event: then the detached task is complete before that
 * child is, on another thread than the one that executed its body. Later tasks wait for all
 * children of their own.
 * @distrust: gcc clang — libgomp executes no child while an undeferred task waits for its event;
 * a thread of libomp sleeps in the barrier although a child can be begun */
#include "check.h"
#include <unistd.h>

static void wait_for(int *flag)
{
    while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE))
        usleep(20);
}

static void set(int *flag) { __atomic_store_n(flag, 1, __ATOMIC_RELEASE); }

static void waits(void)
{
    int done = 0;
    for (int i = 0; i < 3; i++) {
#pragma omp task shared(done)
        {
            usleep(50);
            __atomic_add_fetch(&done, 1, __ATOMIC_RELEASE);
        }
    }
#pragma omp taskwait
    CHECK_EQ(__atomic_load_n(&done, __ATOMIC_ACQUIRE), 3);
}

/* With several threads the child begins on another one than its parent's, and outlives it. */
static void detached(int several, int undeferred)
{
    omp_event_handle_t event;
    int begun = 0, over = 0, complete = 0;
#pragma omp task detach(event) shared(begun, over, complete) if (!undeferred)
    {
        waits();
#pragma omp task firstprivate(event) shared(begun, over, complete)
        {
            set(&begun);
            if (several)
                wait_for(&over);
            usleep(100);
            complete = 1;
            omp_fulfill_event(event);
        }
        if (several)
            wait_for(&begun);
        set(&over);
    }
#pragma omp taskwait
    CHECK_EQ(complete, 1);
}

int main(void)
{
#pragma omp parallel
#pragma omp single
    for (int round = 0; round < 100; round++)
        detached(omp_get_num_threads() > 1, round % 2);
    return check_done();
}
