// Two readers of a shared mutex want to write: each waits for the other one to give it back.
// @kind: lock-cycle
// @says: each holds the read-write lock 'cache.mutex' of main for reading and wants it for writing
// @also: -O0
#include "hang.h"

#include <mutex>
#include <shared_mutex>

struct Cache {
    std::shared_mutex mutex;
    double values[8] = {};

    double get(int key) {
        std::shared_lock<std::shared_mutex> reads(mutex); // <B>
        wait_for_all(2);
        return values[key] != 0 ? values[key] : fill(key);
    }

    __attribute__((noinline)) double fill(int key) {
        std::unique_lock<std::shared_mutex> writes(mutex); // <A>
        return values[key] = key + 1;
    }
};

int main() {
    Cache cache;
    double sum = 0;
    ready();
    #pragma omp parallel for num_threads(2) reduction(+ : sum)
    for (int key = 0; key < 8; key++) sum += cache.get(key);
    return sum < 0;
}
