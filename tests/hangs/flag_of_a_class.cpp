// A task asks a service whether it is up, and keeps the mutex that the service's thread wants.
// @kind: spins
// @says: may come to flag_of_a_class.cpp:22 once it goes on
// @alone
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include "hang.h"

namespace {

class Service {
    std::atomic<bool> is_up{false};
    std::mutex mutex;

public:
    [[gnu::noinline]] bool up() const { return is_up.load(std::memory_order_acquire); }

    [[gnu::noinline]] void run() {
        std::lock_guard<std::mutex> guard(mutex); // <B>
        is_up.store(true);
    }

    [[gnu::noinline]] void wait() {
        std::lock_guard<std::mutex> guard(mutex);
        while (!up()) // <A>
            std::this_thread::yield(); // <A>
    }
};

Service service;

} // namespace

int main() {
    std::thread thread([] {
        pause_a_little();
        service.run();
    });
    ready();
    #pragma omp parallel num_threads(2)
    #pragma omp single
    {
        #pragma omp task
        service.wait();
    }
    thread.join();
    return 0;
}
