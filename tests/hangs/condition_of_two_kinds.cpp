// Who puts in and who takes out wait at one condition variable, and each signal wakes one of them:
// one of the wrong kind in the end.
// @kind: condition-not-signalled
// @says: each place for something of its own
// @never: has a way past
#include "hang.h"

#include <condition_variable>
#include <deque>
#include <mutex>

struct Buffer {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<int> all;
};

__attribute__((noinline)) static void put(Buffer &buffer, int value) {
    std::unique_lock<std::mutex> lock(buffer.mutex);
    buffer.changed.wait(lock, [&] { return buffer.all.empty(); }); // <A>
    buffer.all.push_back(value);
    buffer.changed.notify_one();
}

__attribute__((noinline)) static int take(Buffer &buffer) {
    std::unique_lock<std::mutex> lock(buffer.mutex);
    buffer.changed.wait(lock, [&] { return !buffer.all.empty(); }); // <B>
    int value = buffer.all.front();
    buffer.all.pop_front();
    buffer.changed.notify_one();
    return value;
}

int main() {
    Buffer buffer;
    int sum = 0;
    ready();
    #pragma omp parallel num_threads(8) reduction(+ : sum)
    {
        for (int i = 0; i < 10000000; i++) {
            if (omp_get_thread_num() < 4) put(buffer, i);
            else sum += take(buffer);
        }
    }
    return sum;
}
