// A queue notifies its consumer before it has put anything in: the consumer looks, finds nothing,
// and sleeps beside what comes then.
// @kind: condition-not-signalled
// @says: would end now: what it waits for is there already
// @also: -O0
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "hang.h"

class Queue {
    std::mutex guard;
    std::condition_variable come;
    std::deque<int> all;

public:
    void put(int one) {
        come.notify_one();
        pause_a_little();
        std::lock_guard<std::mutex> own(guard);
        all.push_back(one);
    }

    int take() {
        std::unique_lock<std::mutex> own(guard);
        come.wait(own, [this] { return !all.empty(); }); // <A>
        int one = all.front();
        all.pop_front();
        return one;
    }
};

int main() {
    Queue queue;
    ready();
    std::thread consumer([&] { printf("%d\n", queue.take()); });
    pause_a_little();
    queue.put(7);
    consumer.join();
    return 0;
}
