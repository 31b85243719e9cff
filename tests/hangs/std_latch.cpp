// A latch that nobody counts down to the end: one cause, though all wait for it.
// @kind: system-call
// @says: waits for it too
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
