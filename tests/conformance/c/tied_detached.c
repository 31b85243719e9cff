/* An undeferred task with an event is complete when that is fulfilled. Meanwhile the thread of the
 * tied task that made it begins descendants of that task only: the task may hold a lock that others
 * want.
 * @distrust: clang — LLVM's runtime goes on before the event is fulfilled */
#include "waits.h"

enum { ROUNDS = 8 };
static omp_event_handle_t handles[ROUNDS];
static int given[ROUNDS], complete[ROUNDS];

/* In whatever order they come. */
static void fulfil_all(void)
{
    for (int left = ROUNDS; left > 0;)
        for (int round = 0; round < ROUNDS; round++) {
            if (!__atomic_load_n(&given[round], __ATOMIC_ACQUIRE) || complete[round])
                continue;
            usleep(500);
            __atomic_store_n(&complete[round], 1, __ATOMIC_RELEASE);
            omp_fulfill_event(handles[round]);
            left--;
        }
}

static void holder(struct node *maker, int round)
{
    struct node *node = malloc(sizeof *node);
    begins(node, maker);
#pragma omp critical(held)
    {
        omp_event_handle_t event;
#pragma omp task if (0) detach(event)
        {
            handles[round] = event;
            __atomic_store_n(&given[round], 1, __ATOMIC_RELEASE);
        }
#ifndef __clang__
        /* A compiler of LLVM's goes on at once: its interface has no wait. */
        CHECK(__atomic_load_n(&complete[round], __ATOMIC_ACQUIRE));
#endif
    }
    ends(node);
}

static void wants(struct node *maker)
{
    struct node *node = malloc(sizeof *node);
    begins(node, maker);
#pragma omp critical(held)
    __atomic_add_fetch(&done, 1, __ATOMIC_RELAXED);
    ends(node);
}

int main(void)
{
#pragma omp parallel num_threads(4)
    {
        struct node *mine = malloc(sizeof *mine);
        begins(mine, NULL);
        /* One thread fulfils, one makes the tasks; the others wait in the barrier. */
        if (omp_get_thread_num() == 1)
            fulfil_all();
        if (omp_get_thread_num() == 0)
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < 4; i++) {
#pragma omp task firstprivate(mine)
                    wants(mine);
                }
#pragma omp task firstprivate(mine, round)
                holder(mine, round);
                for (int i = 0; i < 4; i++) {
#pragma omp task firstprivate(mine)
                    wants(mine);
                }
            }
        mine->in_barrier = 1;
#pragma omp barrier
        ends(mine);
    }
    CHECK_EQ(done, 8 * ROUNDS);

    /* What fulfils the event may be a descendant of the task that waits. */
    int fulfilled = 0;
#pragma omp parallel num_threads(2)
#pragma omp master
    for (int round = 0; round < ROUNDS; round++) {
        omp_event_handle_t event;
#pragma omp task if (0) detach(event) shared(fulfilled)
        {
#pragma omp task firstprivate(event) shared(fulfilled)
            {
                __atomic_add_fetch(&fulfilled, 1, __ATOMIC_RELAXED);
                omp_fulfill_event(event);
            }
        }
    }
    CHECK_EQ(fulfilled, ROUNDS);
    return check_done();
}
