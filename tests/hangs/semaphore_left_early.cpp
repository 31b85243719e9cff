// A queue with two semaphores: its consumer ends at a mark, and its producer does not.
// @kind: waits-for-ever
// @says: The code releases it at
#include <cstdio>
#include <deque>
#include <mutex>
#include <semaphore>

#include "hang.h"

static std::counting_semaphore<16> slots(4), items(0);
static std::mutex guard;
static std::deque<int> queue;

static void produce(int value) {
    slots.acquire(); // <A>
    {
        std::lock_guard<std::mutex> own(guard);
        queue.push_back(value);
    }
    items.release();
}

static int consume() {
    items.acquire();
    int value;
    {
        std::lock_guard<std::mutex> own(guard);
        value = queue.front();
        queue.pop_front();
    }
    slots.release(); // <B>
    return value;
}

int main() {
    long sum = 0;
    ready();
    #pragma omp parallel sections num_threads(2)
    {
        #pragma omp section
        for (int at = 0; at < 1000; at++) produce(at % 300 - 1); // <A>
        #pragma omp section
        for (;;) {
            int value = consume();
            if (value < 0 && sum > 100) break;
            sum += value;
        }
    }
    std::printf("%ld\n", sum);
    return 0;
}
