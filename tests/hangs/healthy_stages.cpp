// Stages that hand values on by condition variables, one of them by thousands of regions a second:
// a thread that is called into a region is idle, and on its way.
// @kind: none
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "hang.h"

template <class T> class queue {
    std::mutex guard;
    std::condition_variable put, taken;
    std::deque<T> values;

  public:
    void push(T value) {
        std::unique_lock<std::mutex> own(guard);
        taken.wait(own, [&] { return values.size() < 3; });
        values.push_back(value);
        put.notify_one();
    }
    T pop() {
        std::unique_lock<std::mutex> own(guard);
        put.wait(own, [&] { return !values.empty(); });
        T value = values.front();
        values.pop_front();
        taken.notify_one();
        return value;
    }
};

int main() {
    queue<int> numbers;
    queue<double> sums;
    ready();
    std::thread source([&] {
        for (int at = 0;; at++) numbers.push(at);
    });
    std::thread stage([&] {
        for (;;) {
            int value = numbers.pop();
            double sum = 0;
            #pragma omp parallel for reduction(+ : sum) num_threads(3)
            for (int at = 0; at < 30000; at++) sum += at * 1e-3 * value;
            sums.push(sum);
        }
    });
    double total = 0;
    while (total >= 0) total += sums.pop();
    return 0;
}
