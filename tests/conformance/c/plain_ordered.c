/* `ordered` is no task scheduling point: a thread that waits for its turn begins no task, whatever
 * the schedule. Nor does one that waits to pass the turn on with a chunk that had no `ordered`
 * region. */
#include "waits.h"

enum { TRIP = 24 };
static omp_lock_t lock;

static void iteration(int i)
{
    nothing_begins(1);
    make_some(4);
    if (i == 0)
        usleep(LONG);
}

#define LOOP(...) \
    _Pragma("omp parallel") \
    { \
        _Pragma(__VA_ARGS__) \
        for (int i = 0; i < TRIP; i++) { \
            iteration(i); \
            if (i % 3 != 2) { \
                _Pragma("omp ordered") \
                next++; \
            } \
        } \
        nothing_begins(0); \
    } \
    wanted += TRIP - TRIP / 3; \
    CHECK_EQ(next, wanted)

int main(void)
{
    int next = 0, wanted = 0;
    LOOP("omp for ordered nowait schedule(static, 1)");
    LOOP("omp for ordered nowait schedule(static)");
    LOOP("omp for ordered nowait schedule(static, 3)");
    LOOP("omp for ordered nowait schedule(dynamic, 1)");
    LOOP("omp for ordered nowait schedule(dynamic, 2)");
    LOOP("omp for ordered nowait schedule(guided)");
    LOOP("omp for ordered nowait schedule(runtime)");

    /* A thread that holds a lock waits for its turn while a task that wants the lock is there. */
    omp_init_lock(&lock);
#pragma omp parallel
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < TRIP; i++) {
        int holds = i % omp_get_num_threads() == 1;
        if (holds) {
#pragma omp task
            {
                omp_set_lock(&lock);
                omp_unset_lock(&lock);
            }
            omp_set_lock(&lock);
        } else {
            usleep(100);
        }
#pragma omp ordered
        next++;
        if (holds)
            omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
    CHECK_EQ(next, wanted + TRIP);
    CHECK_EQ(done, 7 * TRIP * 4);
    return check_done();
}
