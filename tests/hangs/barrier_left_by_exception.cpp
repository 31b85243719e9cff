// Domains meet at a barrier in each step; an exception of one leads to its handler, which goes on
// to the thread's next domain.
// @kind: waits-for-ever
// @says: an exception leads to its handler at barrier_left_by_exception.cpp:31, which goes on without it.
// @stock: waits-for-ever
// @also: -O0
#include <barrier>
#include <stdexcept>
#include <vector>

#include "hang.h"

static double advance(double x) {
    if (x > 1e6) throw std::range_error("cell out of range");
    return x * 1.5;
}

int main() {
    const int domains = 3;
    std::barrier<> step(domains);
    std::vector<double> x{1, 4000, 2};
    std::vector<const char *> errors(domains);
    ready();
    #pragma omp parallel for num_threads(3) schedule(static, 1)
    for (int domain = 0; domain < domains; domain++) {
        try {
            for (int time = 0; time < 20; time++) {
                x[domain] = advance(x[domain]);
                step.arrive_and_wait(); // <A>
            }
        } catch (const std::exception &) {
            errors[domain] = "left";
        }
    }
    return errors[0] != nullptr;
}
