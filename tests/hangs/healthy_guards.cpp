// Guards, exceptions and manual unlocks, all of them right, and slow.
// @kind: none
#include <condition_variable>
#include <mutex>
#include <stdexcept>

#include "hang.h"

static std::mutex mutex, other;
static std::condition_variable changed;
static long sum, turns;

static long parse(long value) {
    if (value % 7 == 3) throw std::invalid_argument("three");
    return value;
}

static void add(long value) {
    mutex.lock();
    try {
        usleep(2000);
        sum += parse(value);
    } catch (const std::exception &) {
        mutex.unlock();
        return;
    }
    mutex.unlock();
}

static bool add_if(long value, bool is_shared) {
    std::unique_lock<std::mutex> guard(other, std::defer_lock);
    if (is_shared) guard.lock();
    if (value % 5 == 0) return false;
    usleep(1000);
    turns++;
    changed.notify_all();
    if (is_shared) guard.unlock();
    return true;
}

int main() {
    ready();
    #pragma omp parallel num_threads(3)
    for (long round = 0; round < 100000; round++) {
        add(round);
        add_if(round, true);
    }
    return sum == 0;
}
