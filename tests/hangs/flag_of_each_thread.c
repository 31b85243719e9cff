// A flag that is to stop all threads is threadprivate: the thread that raises it raises its own.
// @kind: spins
// @says: Each thread has its own 'stop' (threadprivate, thread_local)
// @stock: spins
// @also: -O0
#include "hang.h"

static int stop;
#pragma omp threadprivate(stop)

static long __attribute__((noinline)) work(long steps) {
    long sum = 0;
    for (volatile long step = 0; step < steps; step++) sum += step;
    return sum;
}

int main(void) {
    long total = 0;
    ready();
    #pragma omp parallel num_threads(3) reduction(+ : total)
    {
        if (omp_get_thread_num() == 0) {
            pause_a_little();
            stop = 1;
        } else {
            while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) // <A>
                total += work(100000);
        }
    }
    return total == 7;
}
