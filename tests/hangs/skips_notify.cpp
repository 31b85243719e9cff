// A job that fails is taken off the list, and who waits for it to be done is not told.
// @kind: condition-not-signalled
// @says: has a way past
// @also: -O0
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "hang.h"

struct Job {
    int number;
    bool is_valid;
};

class Pool {
public:
    void put(Job job) {
        std::lock_guard<std::mutex> guard(mutex);
        jobs.push_back(job);
        left++;
    }

    __attribute__((noinline)) bool work() {
        std::unique_lock<std::mutex> guard(mutex);
        if (jobs.empty()) return false;
        Job job = jobs.front();
        jobs.pop_front();
        left--;
        if (!job.is_valid) {
            failed.push_back(job.number);
            return true; // <B>
        }
        done.push_back(job.number);
        if (left == 0) all_done.notify_all();
        return true;
    }

    void wait() {
        std::unique_lock<std::mutex> guard(mutex);
        while (left > 0 || waits) {
            waits = false;
            all_done.wait(guard); // <A>
        }
    }

private:
    std::mutex mutex;
    std::condition_variable all_done;
    std::deque<Job> jobs;
    std::vector<int> done, failed;
    int left = 0;
    bool waits = true;
};

int main() {
    Pool pool;
    for (int number = 0; number < 5; number++) pool.put({number, number != 4});
    ready();
    std::thread worker([&pool] {
        usleep(200000);
        while (pool.work()) {
        }
    });
    pool.wait();
    worker.join();
    return 0;
}
