// Two threads, polite for ever, that meet by counters which grow from round to round.
// @kind: livelock
// @says: what it wrote in the round before
// @alone
// @also: -O0
#include "hang.h"

static int wanted[2], come, gone;

static void meet(int *counter, int round) {
    __atomic_add_fetch(counter, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(counter, __ATOMIC_SEQ_CST) < 2 * round) {
    }
}

static void enter(int me) {
    for (int round = 1;; round++) {
        __atomic_store_n(&wanted[me], 1, __ATOMIC_SEQ_CST);
        meet(&come, round);
        int other = __atomic_load_n(&wanted[1 - me], __ATOMIC_SEQ_CST); // <A>
        meet(&gone, round);
        if (!other) return;
        __atomic_store_n(&wanted[me], 0, __ATOMIC_SEQ_CST);
    }
}

int main(void) {
    int sum = 0;
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        enter(omp_get_thread_num());
        sum++;
    }
    return sum;
}
