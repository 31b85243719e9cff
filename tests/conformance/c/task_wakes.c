/* A new task wakes a thread that may begin it, although others, which may not, sleep too: one that
 * waits for its turn, for a lock, or for a child of its own.
 * @distrust: gcc clang — both runtimes leave them asleep, libgomp now and then
 * @threads: 4
 * @env: OMP_WAIT_POLICY=passive */
#include "check.h"
#include <unistd.h>

static int done, began;

static int is_set(int *flag)
{
    return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

static void set(int *flag, int value)
{
    __atomic_store_n(flag, value, __ATOMIC_RELEASE);
}

static void until(int *flag)
{
    while (!is_set(flag))
        usleep(50);
}

/* The maker does not execute it itself. */
static void leave_one_to_others(void)
{
    set(&done, 0);
#pragma omp task
    set(&done, 1);
    until(&done);
}

int main(void)
{
    enum { ROUNDS = 4, ASLEEP = 2000 };
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(4)
    for (int round = 0; round < ROUNDS; round++) {
        int num = omp_get_thread_num();
#pragma omp for ordered schedule(static, 1)
        for (int i = 0; i < 2; i++) {
            if (i == 0) {
                usleep(ASLEEP);
                leave_one_to_others();
            }
#pragma omp ordered
            set(&began, 0);
        }

        if (num == 0) {
            omp_set_lock(&lock);
            set(&began, 1);
            usleep(ASLEEP);
            leave_one_to_others();
            omp_unset_lock(&lock);
        } else if (num == 1) {
            until(&began);
            omp_set_lock(&lock);
            omp_unset_lock(&lock);
        }
#pragma omp barrier
        if (num == 0)
            set(&began, 0);
#pragma omp barrier

        /* The child is under way in another thread until the new task has been executed. */
        if (num == 0) {
            until(&began);
            usleep(ASLEEP);
            leave_one_to_others();
        } else if (num == 1) {
            set(&done, 0);
#pragma omp task
            {
                set(&began, 1);
                until(&done);
            }
            until(&began);
#pragma omp taskwait
        }
#pragma omp barrier
    }
    omp_destroy_lock(&lock);
    return check_done();
}
