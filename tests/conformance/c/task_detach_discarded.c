/* Tasks with events are discarded, because their taskgroup is cancelled before they begin. The
 * program does not know that, and fulfils the events later. By then other tasks with events have
 * been made: none of them may be complete by it.
 * @env: OMP_CANCELLATION=true
 * @distrust: gcc clang — libgomp has freed the task by then; libomp waits for the event at the end
 * of the taskgroup */
#include "check.h"
#include <pthread.h>
#include <unistd.h>

enum { TASKS = 8 };

static omp_event_handle_t discarded[TASKS], later[TASKS];
static int ran, bodies, complete;
static char orders, each[TASKS];

/* The gate keeps the task that cancels from beginning before all tasks are made. That one keeps the
 * tasks from beginning before the taskgroup is cancelled. */
static void cancelled(void)
{
    omp_event_handle_t gate;
#pragma omp taskgroup
    {
#pragma omp task detach(gate) depend(out : orders)
        {
        }
#pragma omp task depend(inout : orders)
        {
#pragma omp cancel taskgroup
        }
        for (int i = 0; i < TASKS; i++) {
            omp_event_handle_t event;
#pragma omp task detach(event) depend(in : orders)
            __atomic_add_fetch(&ran, 1, __ATOMIC_RELAXED);
            discarded[i] = event;
        }
        omp_fulfill_event(gate);
    }
    CHECK_EQ(ran, 0);
}

static void made_later(void)
{
    for (int i = 0; i < TASKS; i++) {
        omp_event_handle_t event;
#pragma omp task detach(event) depend(out : each[i])
        __atomic_add_fetch(&bodies, 1, __ATOMIC_RELEASE);
        later[i] = event;
#pragma omp task depend(in : each[i])
        __atomic_add_fetch(&complete, 1, __ATOMIC_RELEASE);
    }
}

static void *fulfil(void *events)
{
    for (int i = 0; i < TASKS; i++)
        omp_fulfill_event(((omp_event_handle_t *)events)[i]);
    return NULL;
}

/* From a thread of the program's own, as a library's that completes requests would. */
static void fulfil_elsewhere(omp_event_handle_t *events)
{
    pthread_t thread;
    pthread_create(&thread, NULL, fulfil, events);
    pthread_join(thread, NULL);
}

int main(void)
{
#pragma omp parallel
#pragma omp single
    for (int round = 0; round < 20; round++) {
        bodies = complete = 0;
        cancelled();
        made_later();
        if (round % 2)
            fulfil_elsewhere(discarded);
        else
            fulfil(discarded);
        for (int i = 0; i < TASKS; i++) {
#pragma omp taskyield
            usleep(10);
        }
        CHECK_EQ(__atomic_load_n(&complete, __ATOMIC_ACQUIRE), 0);
        fulfil_elsewhere(later);
#pragma omp taskwait
        CHECK_EQ(bodies, TASKS);
        CHECK_EQ(complete, TASKS);
    }
    return check_done();
}
