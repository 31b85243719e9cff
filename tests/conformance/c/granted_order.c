/* What no text promises and every runtime keeps: an iteration of a loop, and a section, may wait
 * for an earlier one of its construct; a single construct goes to the first thread that comes,
 * whatever the others do; and tasks outside of regions are executed at once, in their order. */
/* @threads: 1 2 4 16 */
#include "check.h"
#include <sched.h>
#define N 300

static int done;

static void wait_for(int number)
{
    while (__atomic_load_n(&done, __ATOMIC_ACQUIRE) < number)
        sched_yield();
}

/* Iteration `i` ends behind those before it. */
static void in_turn(int i)
{
    wait_for(i);
    __atomic_store_n(&done, i + 1, __ATOMIC_RELEASE);
}

#define LOOP(...)                                                                                  \
    done = 0;                                                                                      \
    _Pragma("omp parallel")                                                                        \
    {                                                                                              \
        PRAGMA(omp for __VA_ARGS__)                                                                \
        for (int i = 0; i < N; i++)                                                                \
            in_turn(i);                                                                            \
    }                                                                                              \
    CHECK_EQ(done, N);
#define PRAGMA(...) _Pragma(#__VA_ARGS__)

int main(void)
{
    LOOP(schedule(static))
    LOOP(schedule(static, 1))
    LOOP(schedule(dynamic))
    LOOP(schedule(dynamic, 4))
    LOOP(schedule(monotonic : dynamic))
    LOOP(schedule(guided))
    LOOP(schedule(runtime))
    LOOP(schedule(auto))
    done = 0;
#pragma omp parallel sections
    {
        in_turn(0);
#pragma omp section
        in_turn(1);
#pragma omp section
        in_turn(2);
#pragma omp section
        in_turn(3);
    }
    CHECK_EQ(done, 4);
    /* The last member comes first, the others when it is done. */
    for (int round = 0; round < 20; round++) {
        int by = -1;
        done = 0;
#pragma omp parallel
        {
            int num = omp_get_thread_num(), last = omp_get_num_threads() - 1;
            if (num != last)
                wait_for(1);
#pragma omp single nowait
            {
                by = num;
                __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
            }
        }
        CHECK_EQ(by, check_threads() - 1);
    }
    done = 0;
    for (int i = 0; i < N; i++)
#pragma omp task firstprivate(i)
        CHECK_EQ(done++, i);
    CHECK_EQ(done, N);
    return check_done();
}
