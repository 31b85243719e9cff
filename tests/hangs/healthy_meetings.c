// Two threads that take turns for long: each ends when the other one has worked out enough.
// @kind: none
#include "hang.h"

static int turn, enough[2];
static long value[2];

static void work(int me) {
    while (!__atomic_load_n(&enough[me], __ATOMIC_SEQ_CST)) {
        while (__atomic_load_n(&turn, __ATOMIC_SEQ_CST) != me) {
        }
        value[me]++;
        if (value[me] > 1000000000000) __atomic_store_n(&enough[1 - me], 1, __ATOMIC_SEQ_CST);
        __atomic_store_n(&turn, 1 - me, __ATOMIC_SEQ_CST);
    }
}

int main(void) {
    ready();
    #pragma omp parallel num_threads(2)
    work(omp_get_thread_num());
    return 0;
}
