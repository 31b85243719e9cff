// A barrier of the program's own, for as many threads as OpenMP would use, and a smaller region.
// @kind: spins
// @says: compares 'meeting.arrived' (now 3) with 'meeting.size' (now 4)
#include <atomic>
#include <vector>

#include "hang.h"

class Meeting {
    const int size;
    std::atomic<int> arrived{0};
    std::atomic<unsigned> phase{0};

public:
    explicit Meeting(int threads) : size(threads) {}
    void wait();
};

__attribute__((noinline)) void Meeting::wait() {
    unsigned mine = phase.load();
    if (arrived.fetch_add(1) + 1 == size) {
        arrived.store(0);
        phase.fetch_add(1);
        return;
    }
    while (phase.load() == mine) // <A>
        ;
}

int main() {
    std::vector<double> heat(300, 1.0);
    omp_set_num_threads(4);
    Meeting meeting(omp_get_max_threads()); // <B>
    ready();
    #pragma omp parallel num_threads(3)
    for (int step = 0; step < 3; step++) {
        heat[omp_get_thread_num()] *= 0.5;
        meeting.wait();
    }
    printf("%g\n", heat[0]);
    return 0;
}
