// Nobody notifies a condition variable of C++, whose method leaves for the C library by a jump.
// @kind: condition-not-signalled
// @frame: std::condition_variable::wait in libstdc++.so.6
#include "hang.h"

#include <condition_variable>
#include <mutex>

static std::mutex mutex;
static std::condition_variable filled;
static volatile int items;

int main() {
    ready();
    #pragma omp parallel num_threads(2)
    #pragma omp single
    {
        std::unique_lock<std::mutex> held(mutex);
        while (items == 0) filled.wait(held); // <A>
    }
    return 0;
}
