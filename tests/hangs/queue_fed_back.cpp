// A bounded queue is full, and the only threads that take from it put into it, too.
// @kind: condition-not-signalled
// @says: and those who may come to a signal wait for it themselves
// @also: -O0
// @stock: condition-not-signalled
#include <condition_variable>
#include <deque>
#include <mutex>

#include "hang.h"

// (Where all of a method is inlined, the code does not show which condition variable it signals.)
class Queue {
    std::mutex own;
    std::condition_variable not_full, not_empty;
    std::deque<int> cells;

public:
    void __attribute__((noinline)) put(int cell) {
        std::unique_lock<std::mutex> guard(own);
        not_full.wait(guard, [&] { return cells.size() < 16; }); // <A>
        cells.push_back(cell);
        not_empty.notify_one(); // <never>
    }
    int __attribute__((noinline)) take() {
        std::unique_lock<std::mutex> guard(own);
        not_empty.wait(guard, [&] { return !cells.empty(); });
        int cell = cells.front();
        cells.pop_front();
        not_full.notify_one(); // <B>
        return cell;
    }
};

static void refine(Queue &queue, int level) {
    for (int child = 0; child < 8; child++) queue.put(level + 1);
}

int main() {
    Queue queue;
    long levels = 0;
    queue.put(0);
    ready();
    #pragma omp parallel num_threads(3) reduction(+ : levels)
    for (int at = 0; at < 1000; at++) {
        int level = queue.take();
        levels += level;
        refine(queue, level);
    }
    printf("%ld levels\n", levels);
    return 0;
}
