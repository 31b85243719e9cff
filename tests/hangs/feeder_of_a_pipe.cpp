// A member reads what a thread of the C++ library's is to write, which waits for the member.
// @kind: system-call
// @says: may come to feeder_of_a_pipe.cpp:22 once it goes on
// @never: from outside
#include <condition_variable>
#include <mutex>
#include <thread>
#include "hang.h"

namespace {

int ends[2];
std::mutex mutex;
std::condition_variable condition;
bool may_write;

void feed() {
    std::unique_lock<std::mutex> lock(mutex);
    while (!may_write)
        condition.wait(lock); // <B>
    const char byte = 'x';
    if (write(ends[1], &byte, 1) != 1) perror("write");
}

} // namespace

int main() {
    if (pipe(ends)) return 1;
    std::thread feeder(feed);
    ready();
    #pragma omp parallel num_threads(2)
    #pragma omp single
    {
        char byte;
        if (read(ends[0], &byte, 1) != 1) perror("read"); // <A>
        std::lock_guard<std::mutex> guard(mutex);
        may_write = true;
        condition.notify_all();
    }
    feeder.join();
    return 0;
}
