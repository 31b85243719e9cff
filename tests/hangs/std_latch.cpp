// A latch that nobody counts down to the end: one cause, though all wait for it.
// @kind: waits-for-ever
// @says: std::latch
// @alone
#include "hang.h"

#include <latch>

int main() {
    std::latch latch(4);
    ready();
    #pragma omp parallel num_threads(3) // <A>
    latch.arrive_and_wait(); // <A>
    return 0;
}
