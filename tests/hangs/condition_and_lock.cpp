// Three threads: one waits for a condition with a lock held that the one who is to notify wants,
// and a third one wants a section in which that one is.
// @kind: condition-not-signalled
// @also: -O0
// @debuggers
#include "hang.h"

#include <condition_variable>
#include <mutex>

static std::mutex mutex;
static std::condition_variable changed;
static omp_lock_t queue;
static bool is_full;
static int sum;
static volatile int held;

static void consume() {
    omp_set_lock(&queue);
    held = 1;
    {
        std::unique_lock<std::mutex> guard(mutex);
        while (!is_full) changed.wait(guard); // <A>
        sum++;
    }
    omp_unset_lock(&queue);
}

static void produce() {
    while (!held) usleep(1000);
    omp_set_lock(&queue); // <B>
    {
        std::lock_guard<std::mutex> guard(mutex);
        is_full = true;
    }
    changed.notify_one();
    omp_unset_lock(&queue);
}

int main() {
    omp_init_lock(&queue);
    ready();
    #pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 0) {
            consume();
        } else {
            #pragma omp critical(producers)
            produce();
        }
    }
    return sum;
}
