// The members wait for a value that nobody promises any more: the promise is kept by the one that
// waits for them.
// @kind: waits-for-ever
// @says: the value of a std::future
// @never: system call
// @alone
// @also: -O0
#include "hang.h"

#include <future>

int main() {
    std::promise<int> promise;
    std::shared_future<int> answer = promise.get_future().share();
    int sum = 0;
    ready();
    #pragma omp parallel num_threads(3) reduction(+ : sum)
    {
        if (omp_get_thread_num() != 0) sum += answer.get(); // <A>
    }
    promise.set_value(sum);
    return sum;
}
