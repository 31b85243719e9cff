// The value of an atomic has changed, and nobody has notified the member that waits for that. Where
// a look stopped it, its wait would begin again, and end.
// @kind: waits-for-ever
// @says: is about to notify it
// @never: system call
// @also: -O0
#include "hang.h"

#include <atomic>

static std::atomic<int> state{0};

static void __attribute__((noinline)) pass() {
    state.wait(0); // <A>
}

int main() {
    #pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 2) pass(); // <B>
        if (omp_get_thread_num() == 1) {
            usleep(200000);
            state.store(1);
            ready();
        }
    }
}
