// A task spins for what another one writes, which depends on it.
// @kind: spins
// @says: waits for the one that thread
// @alone
#include "hang.h"

static int go;
static double x;

static void __attribute__((noinline)) consume(void) {
    while (!__atomic_load_n(&go, __ATOMIC_ACQUIRE)) { // <A>
    }
}

int main(void) {
    ready();
    #pragma omp parallel num_threads(2)
    #pragma omp single
    {
        #pragma omp task depend(in: x)
        consume();
        #pragma omp task depend(out: x) // <B>
        { // <B>
            x = 3;
            __atomic_store_n(&go, 1, __ATOMIC_RELEASE);
        }
        #pragma omp taskwait
    }
    return x > 3;
}
