// A worker took a lock in a region that is over, and is idle: it did not give the lock back.
// @kind: holder-idle
// @also: -O0
// @debuggers
// @alone
#include "hang.h"

static omp_lock_t lock;
static int sum;

static void __attribute__((noinline)) add(int value) {
    omp_set_lock(&lock); // <A>
    if (!value) return;
    sum += value;
    omp_unset_lock(&lock);
}

int main(void) {
    omp_init_lock(&lock);
    ready();
    #pragma omp parallel num_threads(3)
    if (omp_get_thread_num() == 2) add(0);
    #pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) add(1);
    return sum;
}
