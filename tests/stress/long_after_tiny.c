/* Long tasks behind tiny ones. A maker with a full queue executes new tasks at once; if one of them
 * is so long that the others empty the queue meanwhile, the maker queues more from then on, so that
 * the next long task goes to a thread that has nothing to do. */
#include "../conformance/check.h"
#include <sched.h>

enum { ROUNDS = 5, TINY = 2000 };

static int maker, at_once, made, done, released;

static void end(void)
{
    __atomic_fetch_add(&done, 1, __ATOMIC_ACQ_REL);
}

static void wait_for(const int *word, int value)
{
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) < value)
        sched_yield();
}

/* Lets the others go on, and waits until they have nothing left. */
static void release(int round, int left)
{
    __atomic_store_n(&released, round, __ATOMIC_RELEASE);
    wait_for(&done, made - left);
}

static void hold(int round)
{
    wait_for(&released, round);
    end();
}

static void work(int round)
{
    if (omp_get_thread_num() == maker) {
        at_once++;
        release(round, 1);
    }
    end();
}

int main(void)
{
#pragma omp parallel
#pragma omp single
    if (omp_get_num_threads() > 1) {
        maker = omp_get_thread_num();
        for (int round = 1; round <= ROUNDS; round++) {
            for (int i = 1; i < omp_get_num_threads(); i++) {
                made++;
#pragma omp task firstprivate(round)
                hold(round);
            }
            for (int i = 0; i < TINY; i++) {
                made++;
#pragma omp task
                end();
            }
            made++;
#pragma omp task firstprivate(round)
            work(round);
            release(round, 0);
        }
        CHECK(at_once <= 1);
    }
    CHECK_EQ(done, made);
    return check_done();
}
