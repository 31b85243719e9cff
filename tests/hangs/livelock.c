// Two threads, polite for ever: each gives its lock up and tries again.
// @kind: livelock
#include "hang.h"

static omp_lock_t left, right;
static volatile int sum;

static void __attribute__((noinline)) both(omp_lock_t *mine, omp_lock_t *other) {
    for (;;) {
        omp_set_lock(mine);
        #pragma omp barrier
        if (omp_test_lock(other)) break; // <A>
        #pragma omp barrier
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
