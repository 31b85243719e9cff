// Nothing is wrong: threads are polite to each other, and one of them comes in each time.
// @kind: none
// @also: -O0
#include <stdatomic.h>
#include "hang.h"

static atomic_int wanted[2], turn;

static void __attribute__((noinline)) enter(int me) {
    atomic_store(&wanted[me], 1);
    while (atomic_load(&wanted[1 - me])) {
        if (atomic_load(&turn) != me) {
            atomic_store(&wanted[me], 0);
            while (atomic_load(&turn) != me) usleep(100);
            atomic_store(&wanted[me], 1);
        }
    }
}

int main(void) {
    long sum = 0;
    ready();
    #pragma omp parallel num_threads(2)
    {
        int me = omp_get_thread_num();
        for (int i = 0; i < 100000000; i++) {
            enter(me);
            sum++;
            usleep(500);
            atomic_store(&turn, 1 - me);
            atomic_store(&wanted[me], 0);
            usleep(100);
        }
    }
    return sum > 0;
}
