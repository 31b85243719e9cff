// A thread wants a C++ mutex that it holds; a function of the program's takes another for a caller.
// @kind: lock-cycle
// @says: (taken at mutex_of_a_class.cpp:23)
// @also: -O0
#include "hang.h"

#include <cstdlib>
#include <mutex>

static std::mutex pool;
static pthread_mutex_t log_ = PTHREAD_MUTEX_INITIALIZER;

static void __attribute__((noinline)) enter() {
    if (pthread_mutex_lock(&log_) != 0) { // <never>
        perror("lock");
        exit(1);
    }
}

static void __attribute__((noinline)) leave() { pthread_mutex_unlock(&log_); }

static void __attribute__((noinline)) note() {
    enter(); // the line that @says has
    wait_for_all(2);
    pool.lock(); // <A>
    pool.unlock();
    leave();
}

static void __attribute__((noinline)) serve() {
    std::unique_lock<std::mutex> held(pool);
    wait_for_all(2);
    enter(); // <B>
    leave();
}

int main() {
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num())
            note();
        else
            serve();
    }
    return 0;
}
