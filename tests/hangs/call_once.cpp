// What is done once wants what another thread does once, which wants the first.
// @kind: once-in-cycle
// @says: (begun at call_once.cpp:
// @also: -O0
// @debuggers
#include "hang.h"

#include <mutex>

static std::once_flag first, second;
static volatile int done;

static void __attribute__((noinline)) inner(std::once_flag &flag) {
    wait_for_all(2);
    std::call_once(flag, [] { done++; }); // <A>
    done++;
}

int main() {
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num())
            std::call_once(first, [] { inner(second); }); // <B>
        else
            std::call_once(second, [] { inner(first); }); // <B>
    }
    return done;
}
