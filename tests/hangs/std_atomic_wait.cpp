// A member waits for an atomic that nobody changes.
// @kind: waits-for-ever
// @says: std::atomic
// @never: system call
// @also: -O0
#include "hang.h"

#include <atomic>

int main() {
    std::atomic<int> state{0};
    ready();
    #pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 2) state.wait(0); // <A>
    }
}
