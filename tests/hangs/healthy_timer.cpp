// A thread that OpenMP does not know waits for a timer, and wakes the members, which wait for it.
// @kind: none
#include "hang.h"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static int items;

static void feed() {
    const itimerspec times = {{1, 200000000}, {1, 0}};
    int polled = epoll_create1(0), timer = timerfd_create(CLOCK_MONOTONIC, 0);
    epoll_event event = {};
    event.events = EPOLLIN;
    timerfd_settime(timer, 0, &times, nullptr);
    epoll_ctl(polled, EPOLL_CTL_ADD, timer, &event);
    for (;;) {
        uint64_t over = 0;
        epoll_wait(polled, &event, 1, -1);
        if (read(timer, &over, sizeof over) < 0) _exit(1);
        std::lock_guard guard(mutex);
        items += 3;
        changed.notify_all();
    }
}

int main() {
    std::thread feeder(feed);
    ready();
    #pragma omp parallel num_threads(3)
    for (;;) {
        std::unique_lock guard(mutex);
        changed.wait(guard, [] { return items > 0; });
        items--;
    }
}
