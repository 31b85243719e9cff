// Nothing is wrong: tasks, and locks that many want.
// @kind: none
#include "hang.h"

static omp_lock_t lock;
static long sum;

static long fib(int n) {
    long a, b;
    if (n < 2) return n;
    #pragma omp task shared(a)
    a = fib(n - 1);
    b = fib(n - 2);
    #pragma omp taskwait
    omp_set_lock(&lock);
    sum++;
    omp_unset_lock(&lock);
    return a + b;
}

int main(void) {
    omp_init_lock(&lock);
    ready();
    for (int i = 0; i < 1000000; i++) {
        #pragma omp parallel num_threads(3)
        #pragma omp single
        fib(18);
    }
    return sum > 0;
}
