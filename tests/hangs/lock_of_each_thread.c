// A lock of which each thread has its own, taken twice by its thread.
// @kind: lock-taken-twice
// @says: the lock 'own' of thread 1, which it holds already (taken at lock_of_each_thread.c:
// @debuggers
// @also: -O2
#include "hang.h"

static omp_lock_t own;
#pragma omp threadprivate(own)

__attribute__((noinline)) static int deep(int depth) {
    omp_set_lock(&own); // <A>
    if (depth > 0) depth += deep(depth - 1);
    omp_unset_lock(&own);
    return depth;
}

int main(void) {
    int sum = 0;
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        omp_init_lock(&own);
        if (omp_get_thread_num() == 1) sum += deep(1);
        #pragma omp barrier
    }
    return sum;
}
