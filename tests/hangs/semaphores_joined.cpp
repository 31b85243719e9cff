// Two threads have a device each, and want that of the other one. Who started them waits for the
// first: nobody waits for the second.
// @kind: cycle
// @says: each has taken a semaphore that it has not released
// @alone
#include <semaphore>
#include <thread>

#include "hang.h"

#ifdef __clang__
#define AS_WRITTEN __attribute__((optnone, noinline))
#else
#define AS_WRITTEN __attribute__((optimize("O0"), noinline))
#endif

struct device {
    std::binary_semaphore is_free{1};
    double load = 0;
};
static device first, second;

AS_WRITTEN static void stage(device &one, device &other) {
    one.is_free.acquire(); // <B>
    wait_for_all(2);
    other.is_free.acquire(); // <A>
    other.load += one.load;
    other.is_free.release();
    one.is_free.release();
}

int main() {
    ready();
    std::thread up([] { stage(first, second); });
    std::thread down([] { stage(second, first); });
    up.join();
    down.join();
    return 0;
}
