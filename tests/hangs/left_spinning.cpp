// A spin lock of the program's own: who finds an empty cell returns with it.
// @kind: spins
// @says: on which it does not give back what it takes at
#include <atomic>
#include <cstdio>
#include <vector>

#include "hang.h"

class spin_lock {
    std::atomic_flag flag = ATOMIC_FLAG_INIT;

  public:
    void lock() {
        while (flag.test_and_set(std::memory_order_acquire)) {
        }
    }
    void unlock() { flag.clear(std::memory_order_release); }
};
static spin_lock grid;
static std::vector<int> cells(1000, 5);

static bool move(int from, int to) {
    grid.lock(); // <A>
    if (cells[from] == 0) return false; // <B>
    cells[from]--;
    cells[to]++;
    grid.unlock();
    return true;
}

int main() {
    int moved = 0;
    ready();
    #pragma omp parallel for num_threads(3) reduction(+ : moved)
    for (int at = 0; at < 300000; at++) moved += move(at * 31 % 1000, at * 17 % 100);
    std::printf("%d\n", moved);
    return 0;
}
