// A thread takes a simple lock that it holds.
// @kind: lock-taken-twice
#include "hang.h"

static omp_lock_t lock;

static void __attribute__((noinline)) update(int *value) {
    omp_set_lock(&lock); // <A>
    ++*value;
    omp_unset_lock(&lock);
}

int main(void) {
    int sum = 0;
    omp_init_lock(&lock);
    ready();
    #pragma omp parallel num_threads(2)
    {
        omp_set_lock(&lock); // <B>
        update(&sum);
        omp_unset_lock(&lock);
    }
    return sum;
}
