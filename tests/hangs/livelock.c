// Two threads, polite for ever: each gives its lock up and tries again.
// @kind: livelock
#include <sched.h>
#include "hang.h"

static omp_lock_t left, right;
static volatile int sum;

// Both hold their own before either tries for the other's, every time.
static void meet(int *count, int round) {
    __atomic_add_fetch(count, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(count, __ATOMIC_SEQ_CST) < 2 * round) sched_yield();
}

static void __attribute__((noinline)) both(omp_lock_t *mine, omp_lock_t *other) {
    static int held, tried;
    for (int round = 1;; round++) {
        int got = 0;
        omp_set_lock(mine);
        meet(&held, round);
        for (int tries = 0; tries < 100000; tries++) got |= omp_test_lock(other); // <A>
        meet(&tried, round);
        if (got) break;
        omp_unset_lock(mine);
    }
    sum++;
}

int main(void) {
    omp_init_lock(&left);
    omp_init_lock(&right);
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num())
            both(&right, &left);
        else
            both(&left, &right);
    }
    return sum;
}
