// A latch that the compiler makes, for one more than count it down: no code has its count.
// @kind: waits-for-ever
// @says: It was made at counts_static_latch.cpp:
// @also: -O0
#include <cstdio>
#include <latch>
#include <thread>
#include <vector>

#include "hang.h"

static constexpr int PARTS = 3;
using Latch = std::latch;
static Latch finished(PARTS + 1); // <B>
static double sums[PARTS];

static void add(int part) {
    for (int at = 0; at < 10; at++) sums[part] += at;
    finished.count_down();
}

int main() {
    std::vector<std::thread> threads;
    ready();
    for (int part = 0; part < PARTS; part++) threads.emplace_back(add, part);
    finished.wait(); // <A>
    double sum = 0;
    for (double part : sums) sum += part;
    for (std::thread &thread : threads) thread.join();
    std::printf("%g\n", sum);
    return 0;
}
