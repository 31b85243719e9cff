// A barrier of the C++ library for one thread more than the team has.
// @kind: waits-for-ever
// @says: std::barrier
// @never: system call
// @alone
// @also: -O0
#include "hang.h"

#include <barrier>

int main() {
    std::barrier everybody(4);
    ready();
    #pragma omp parallel num_threads(3) // <A>
    {
        pause_a_little();
        everybody.arrive_and_wait(); // <A>
    }
}
