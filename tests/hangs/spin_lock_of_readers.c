// A lock of the program's own for several readers: a writer takes it and waits for the readers at
// a barrier.
// @kind: spins
// @says: 'lock'
// @stock: spins
// @alone
#include <stdatomic.h>
#include "hang.h"

enum { WRITER = 1, READER = 2 };

static atomic_uint lock;

__attribute__((noinline)) static void begin_reading(void) {
    unsigned now = atomic_load(&lock); // <A>
    for (;;) {
        if (now & WRITER) {
            now = atomic_load(&lock); // <A>
        } else if (atomic_compare_exchange_weak(&lock, &now, now + READER)) { // <A>
            return;
        }
    }
}

int main(void) {
    int sum = 0;
    ready();
    #pragma omp parallel num_threads(3) reduction(+ : sum)
    {
        int number = omp_get_thread_num();
        if (number == 0) atomic_fetch_or(&lock, WRITER);
        wait_for_all(3);
        if (number > 0) begin_reading(); // <B>
        sum += number;
        #pragma omp barrier
        atomic_store(&lock, 0);
    }
    return sum;
}
