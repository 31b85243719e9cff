// A lambda stands before the tasks in the same function: the tasks are the function's, not its.
// @kind: lock-cycle
// @never: operator()
// @also: -O2
#include "hang.h"

#include <mutex>

static std::mutex left, right;
static int sum;

int main() {
    ready();
    #pragma omp parallel num_threads(2)
    #pragma omp single
    {
        auto twice = [](int a) { usleep(1); return a * 2; };
        sum = twice(3);
        #pragma omp task
        {
            left.lock();
            wait_for_all(2);
            right.lock(); // <A>
            right.unlock();
            left.unlock();
        }
        #pragma omp task
        {
            right.lock();
            wait_for_all(2);
            left.lock(); // <B>
            left.unlock();
            right.unlock();
        }
    }
    return sum;
}
