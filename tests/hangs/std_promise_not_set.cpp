// A task ends without the value that another thread waits for.
// @kind: waits-for-ever
// @says: The code sets values of promises at
// @also: -O0
#include "hang.h"

#include <future>

static std::promise<int> result;

static void compute(int from) {
    if (from < 0) return;
    result.set_value(from); // <B>
}

int main() {
    int sum = 0;
    ready();
    #pragma omp parallel num_threads(2)
    #pragma omp single
    {
        #pragma omp task
        compute(-(int)getpid());
        sum = result.get_future().get(); // <A>
    }
    return sum;
}
