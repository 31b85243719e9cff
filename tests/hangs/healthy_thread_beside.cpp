// A thread that OpenMP does not know sleeps for seconds, and makes then what the members wait for.
// @kind: none
#include "hang.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable filled;
static int items;

static void make() {
    for (;;) {
        std::this_thread::sleep_for(std::chrono::seconds(2));
        std::lock_guard guard(mutex);
        items++;
        filled.notify_one();
    }
}

int main() {
    std::thread maker(make);
    ready();
    #pragma omp parallel num_threads(3)
    for (;;) {
        std::unique_lock guard(mutex);
        filled.wait(guard, [] { return items > 0; });
        items--;
    }
}
