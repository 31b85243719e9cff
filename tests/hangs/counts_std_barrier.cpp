// A barrier for as many threads as there are processors in the plan, and one thread fewer.
// @kind: waits-for-ever
// @says: (3 of the 4 arrivals that it expects have come)
// @also: -O0
#include <barrier>
#include <thread>
#include <vector>

#include "hang.h"

static constexpr int PLANNED = 4;
static std::barrier<> step_end(PLANNED); // <B>
static double cells[64], next_cells[64];

static void steps(int me, int of) {
    for (int step = 0; step < 3; step++) {
        for (int at = me; at < 64; at += of)
            next_cells[at] = 0.5 * (cells[at] + cells[(at + 1) % 64]);
        step_end.arrive_and_wait(); // <A>
        for (int at = me; at < 64; at += of) cells[at] = next_cells[at];
        step_end.arrive_and_wait();
    }
}

int main() {
    for (int at = 0; at < 64; at++) cells[at] = at;
    std::vector<std::thread> threads;
    ready();
    for (int at = 0; at < PLANNED - 1; at++) threads.emplace_back(steps, at, PLANNED - 1);
    for (std::thread &thread : threads) thread.join();
    printf("%g\n", cells[3]);
    return 0;
}
