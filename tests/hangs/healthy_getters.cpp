// Nothing is wrong: members poll a value by a method, in their sleep, and say so; a thread of the
// C++ library's computes each value.
// @kind: none
// @also: -O0
#include <atomic>
#include <chrono>
#include <thread>
#include "hang.h"

namespace {

class Stage {
    std::atomic<int> value{0};

public:
    [[gnu::noinline]] int get() const { return value.load(); }
    [[gnu::noinline]] void set(int next) { value = next; }
};

Stage stage;

void compute() {
    for (int step = 1;; step++) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(120);
        while (std::chrono::steady_clock::now() < end) {}
        stage.set(step);
    }
}

} // namespace

int main() {
    std::thread thread(compute);
    ready();
    #pragma omp parallel num_threads(2)
    for (int step = 1;; step++) {
        long rounds = 0;
        while (stage.get() < step) {
            std::this_thread::sleep_for(std::chrono::microseconds(200));
            if (++rounds % 500 == 0) fprintf(stderr, "waits for %d\n", step);
        }
        #pragma omp barrier
    }
}
