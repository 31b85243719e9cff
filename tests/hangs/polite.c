// Two threads, polite for ever, without a lock: each raises its flag, sees that the other has not
// gone, and steps back. No flag is ever 0, so that neither gets through by chance.
// @kind: livelock
// @says: what it wrote in the round before
// @alone
// @also: -O0
#include <stdatomic.h>
#include "hang.h"

static atomic_int wanted[2];

static void __attribute__((noinline)) enter(int me) {
    for (;;) {
        atomic_store(&wanted[me], 1);
        usleep(2000);
        if (!atomic_load(&wanted[1 - me])) return; // <A>
        atomic_store(&wanted[me], 2); // steps back
        for (volatile int delay = 0; delay < 10; delay++) {
        }
        atomic_store(&wanted[me], 1);
        usleep(2000);
    }
}

int main(void) {
    int sum = 0;
    atomic_store(&wanted[0], 1);
    atomic_store(&wanted[1], 1);
    ready();
    #pragma omp parallel num_threads(2)
    {
        enter(omp_get_thread_num());
        #pragma omp critical
        sum++;
    }
    return sum;
}
