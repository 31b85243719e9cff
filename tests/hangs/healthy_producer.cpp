// A thread that sleeps for seconds between what it makes, and others that wait for that.
// @kind: none
#include "hang.h"

#include <condition_variable>
#include <mutex>

static std::mutex mutex;
static std::condition_variable filled;
static int items;

static void make() {
    for (;;) {
        sleep(2);
        std::lock_guard guard(mutex);
        items++;
        filled.notify_one();
    }
}

static void use() {
    for (;;) {
        std::unique_lock guard(mutex);
        filled.wait(guard, [] { return items > 0; });
        items--;
    }
}

int main() {
    ready();
    #pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 0)
            make();
        else
            use();
    }
    return 0;
}
