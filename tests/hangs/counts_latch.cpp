// A latch for all tasks, of which the empty ones are never begun.
// @kind: waits-for-ever
// @says: It was made at
// @also: -O0
#include <latch>
#include <thread>
#include <vector>

#include "hang.h"

struct Chunk {
    int first;
    int count;
};

static std::vector<Chunk> chunks = {{0, 10}, {10, 10}, {20, 0}, {20, 5}};
static double sums[4];

static void add(int number, std::latch &finished) {
    const Chunk &chunk = chunks[number];
    for (int at = chunk.first; at < chunk.first + chunk.count; at++) sums[number] += at;
    finished.count_down();
}

int main() {
    std::latch finished(static_cast<long>(chunks.size())); // <B>
    std::vector<std::thread> threads;
    ready();
    for (int number = 0; number < 4; number++)
        if (chunks[number].count > 0)
            threads.emplace_back(add, number, std::ref(finished));
    finished.wait(); // <A>
    double sum = 0;
    for (double part : sums) sum += part;
    for (std::thread &thread : threads) thread.join();
    printf("%g\n", sum);
    return 0;
}
