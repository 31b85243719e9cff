// A barrier of the program's own, which one member does not come to.
// @kind: spins
// @says: for the variable 'arrived' to change
// @also: -O0
#include <sched.h>
#include <stdatomic.h>
#include "hang.h"

static atomic_int arrived;

static void meet(int count) {
    atomic_fetch_add(&arrived, 1);
    while (atomic_load(&arrived) < count) // <A>
        sched_yield();                    // <A>
}

int main(void) {
    ready();
    #pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() != 2) meet(3);
        #pragma omp barrier
    }
    return 0;
}
