// A spin lock of the program's own, taken across a barrier: two threads exchange in vain.
// @kind: spins
// @says: (read at spin_lock_of_own.cpp
// @alone
#include <atomic>
#include <sched.h>
#include "hang.h"

struct Spin {
    std::atomic<int> word{0};
    void lock() {
        for (int free = 0; !word.compare_exchange_weak(free, 1); free = 0) sched_yield(); // <A>
    }
    void unlock() { word.store(0); }
};

static Spin spin;

int main() {
    static long sum;
    ready();
    #pragma omp parallel num_threads(3)
    {
        spin.lock(); // <A>
        sum++;
        #pragma omp barrier // <B>
        spin.unlock();
    }
    return sum == 3;
}
