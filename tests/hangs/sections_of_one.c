// One section waits for the other one, and the team has one thread.
// @kind: spins
// @says: has one thread.
// @alone
#include "hang.h"

static int full;

static int __attribute__((noinline)) is_full(void) {
    return __atomic_load_n(&full, __ATOMIC_ACQUIRE);
}

int main(void) {
    ready();
    #pragma omp parallel sections num_threads(1) // <B>
    {
        #pragma omp section
        for (int i = 0; i < 2; i++) {
            while (__atomic_load_n(&full, __ATOMIC_ACQUIRE)) usleep(100); // <A>
            __atomic_store_n(&full, 1, __ATOMIC_RELEASE);
        }
        #pragma omp section
        for (int i = 0; i < 2; i++) {
            while (!is_full()) usleep(100);
            __atomic_store_n(&full, 0, __ATOMIC_RELEASE);
        }
    }
    return 0;
}
