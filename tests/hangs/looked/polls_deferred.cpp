// A loop asks whether a deferred task is done: nobody executes it before get() or wait().
// @kind: spins
// @says: a std::future whose task is deferred
#include <chrono>
#include <future>

#include "../hang.h"

__attribute__((noinline)) static std::future<double> load(int step) {
    return std::async(std::launch::deferred, [step] { return step * 0.5; });
}

int main() {
    using namespace std::chrono_literals;
    double sum = 0;
    std::future<double> next;
    ready();
    #pragma omp parallel num_threads(3)
    for (int step = 0; step < 3; step++) {
        #pragma omp masked
        {
            next = load(step);
            while (next.wait_for(10ms) != std::future_status::ready) // <A>
                ;
            sum += next.get();
        }
        #pragma omp barrier // <B>
    }
    printf("%g\n", sum);
    return 0;
}
