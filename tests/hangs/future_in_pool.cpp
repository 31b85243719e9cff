// Both threads of a pool execute jobs that wait for jobs of the same pool. A packaged task sets its
// value once, by a flag: that is not what they wait for.
// @kind: waits-for-ever
// @says: none is left to begin the one that is waited for
// @never: call_once
// @also: -O0
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "hang.h"

static std::mutex guard;
static std::condition_variable come;
static std::deque<std::function<void()>> jobs;

static std::future<double> submit(std::function<double()> work) {
    auto job = std::make_shared<std::packaged_task<double()>>(std::move(work));
    {
        std::lock_guard<std::mutex> own(guard);
        jobs.push_back([job] { (*job)(); });
    }
    come.notify_one();
    return job->get_future();
}

static void serve() {
    for (;;) {
        std::unique_lock<std::mutex> own(guard);
        come.wait(own, [] { return !jobs.empty(); });
        auto job = std::move(jobs.front());
        jobs.pop_front();
        own.unlock();
        job();
    }
}

static double half(int count) {
    auto part = submit([count] { return 0.5 * count; });
    return part.get(); // <A>
}

int main() {
    std::vector<std::future<double>> all;
    for (int at = 0; at < 8; at++) all.push_back(submit([at] { return half(at); }));
    ready();
    std::thread one(serve), other(serve);
    double sum = 0;
    for (auto &part : all) sum += part.get();
    printf("%g\n", sum);
    one.join();
    other.join();
    return 0;
}
