// A loop counts an unsigned number down until it is negative; its rounds store values.
// @kind: spins
// @says: is in a loop that has no end
// @says: no instruction of it leads out of it
// @stock: spins
// @also: -O2
#include "hang.h"

static double rows[64];

static void __attribute__((noinline)) substitute(unsigned count) {
    double next = 1;
    for (unsigned row = count - 1; row >= 0; row--) {
        next = 0.5 * next + rows[row & 63]; // <A>
        rows[row & 63] = next; // <A>
    }
}

int main(void) {
    ready();
    #pragma omp parallel num_threads(2)
    {
        #pragma omp masked
        substitute(64);
        #pragma omp barrier
    }
    return rows[1] > 0;
}
