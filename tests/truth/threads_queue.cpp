// A std::thread with regions of its own hands work to the program's regions through a queue.
#include "truth.h"
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

static std::mutex guard;
static std::condition_variable filled;
static std::deque<int> queue;

int main()
{
    double begin = now(), produced = 0, consumed = 0, asleep = 0;
    std::thread producer([&] {
        for (int i = 0; i < 25; i++) {
            double sum = 0;
            #pragma omp parallel num_threads(2) reduction(+ : sum) // mark: produce
            sum += burn(0.008);
            produced += sum;
            std::this_thread::sleep_for(std::chrono::milliseconds(4));
            std::lock_guard<std::mutex> own(guard);
            queue.push_back(i);
            filled.notify_one();
        }
    });
    for (int i = 0; i < 25; i++) {
        {
            double from = now();
            std::unique_lock<std::mutex> own(guard);
            filled.wait(own, [] { return !queue.empty(); });
            queue.pop_front();
            asleep += now() - from;
        }
        double sum = 0;
        #pragma omp parallel num_threads(2) reduction(+ : sum) // mark: consume
        sum += burn(0.003);
        consumed += sum;
    }
    producer.join();
    truth("work@produce", produced);
    truth("work@consume", consumed);
    truth("instances@produce", 25);
    truth("instances@consume", 25);
    truth("elapsed", now() - begin);
}
