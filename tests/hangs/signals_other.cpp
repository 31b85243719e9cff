// A queue of which both methods signal one condition variable, and nobody signals the other one.
// @kind: condition-not-signalled
// @says: signals 'queue.not_full' at
// @says: and nowhere what this thread waits for
// @also: -O0
#include <condition_variable>
#include <mutex>

#include "hang.h"

class Queue {
    std::mutex own;
    std::condition_variable not_full, not_empty;
    int items[4], count = 0;

public:
    void put(int item);
    int take();
};

__attribute__((noinline)) void Queue::put(int item) {
    std::unique_lock<std::mutex> guard(own);
    while (count == 4) not_full.wait(guard);
    items[count++] = item;
    not_full.notify_one(); // <B>
}

__attribute__((noinline)) int Queue::take() {
    std::unique_lock<std::mutex> guard(own);
    while (count == 0) not_empty.wait(guard); // <A>
    int item = items[--count];
    not_full.notify_one();
    return item;
}

int main() {
    Queue queue;
    int sum = 0;
    ready();
    #pragma omp parallel num_threads(2)
    if (omp_get_thread_num()) {
        pause_a_little();
        for (int at = 0; at < 100; at++) queue.put(at);
    } else {
        for (int at = 0; at < 100; at++) sum += queue.take();
    }
    printf("%d\n", sum);
    return 0;
}
