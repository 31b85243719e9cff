/* A barrier passes when no task is left, whoever has the last one: a member, a task that makes
 * others, a list of tasks with priorities, an open event, a thread of the program's own.
 *
 * @env: OMPHALOS_MEETING=tree OMP_MAX_TASK_PRIORITY=4
 * @threads: 2 3 5 16
 */
#include "check.h"
#include <pthread.h>
#include <sched.h>
#include <stdint.h>

enum { ROUNDS = 12, MOST = 16, TREE = 31 };

/* What the thread outside shall fulfil next; 0: nothing; -1: it may end. */
static intptr_t mail;
static int cells[MOST];

static void *outside(void *unused)
{
    for (;;) {
        intptr_t event = __atomic_exchange_n(&mail, 0, __ATOMIC_ACQ_REL);
        if (event == -1)
            return unused;
        if (event)
            omp_fulfill_event((omp_event_handle_t)event);
        else
            sched_yield();
    }
}

static void count(int *done)
{
    __atomic_add_fetch(done, 1, __ATOMIC_RELAXED);
}

/* 2^depth - 1 tasks, each of which leaves its children behind. */
static void grow(int depth, int *done)
{
    if (depth == 0)
        return;
    for (int i = 0; i < 2; i++) {
#pragma omp task firstprivate(depth, done)
        grow(depth - 1, done);
    }
    count(done);
}

/* A task with an event, and one that waits for it; `me`'s task or somebody outside fulfils it. */
static void open_event(int me, int away, int *done)
{
    omp_event_handle_t event;
#pragma omp task detach(event) depend(out : cells[me]) firstprivate(done)
    count(done);
#pragma omp task depend(in : cells[me]) firstprivate(done)
    count(done);
    if (away) {
        __atomic_store_n(&mail, (intptr_t)event, __ATOMIC_RELEASE);
    } else {
#pragma omp task firstprivate(event, done) priority(me % 4 + 1)
        {
            count(done);
            omp_fulfill_event(event);
        }
    }
}

int main(void)
{
    pthread_t helper;
    CHECK_EQ(pthread_create(&helper, NULL, outside, NULL), 0);
    int done[ROUNDS] = {0};
#pragma omp parallel shared(done)
    {
        int me = omp_get_thread_num(), size = omp_get_num_threads();
        for (int round = 0; round < ROUNDS; round++) {
            int away = me == round % size;
            if (round % 3 != 0)
                open_event(me, away, &done[round]);
            if ((me + round) % 4 == 0)
                grow(5, &done[round]);
            for (int i = 0; round % 2 && i < 6; i++) {
#pragma omp task priority(i % 5) shared(done) firstprivate(round)
                count(&done[round]);
            }
#pragma omp barrier
            int trees = 0;
            for (int other = 0; other < size; other++)
                trees += (other + round) % 4 == 0;
            int wanted = trees * TREE + (round % 2 ? 6 * size : 0);
            wanted += round % 3 ? 3 * size - 1 : 0;
            CHECK_EQ(__atomic_load_n(&done[round], __ATOMIC_RELAXED), wanted);
#pragma omp barrier
        }
    }
    __atomic_store_n(&mail, (intptr_t)-1, __ATOMIC_RELEASE);
    pthread_join(helper, NULL);
    return check_done();
}
