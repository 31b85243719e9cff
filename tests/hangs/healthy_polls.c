// Nothing is wrong: all threads poll for the end of work that goes on in memory alone, a little in
// each round.
// @kind: none
// @also: -O0
#include <sched.h>
#include <stdatomic.h>
#include "hang.h"

static atomic_long done;
static atomic_int open = 1;

static void __attribute__((noinline)) step(void) {
    if (atomic_fetch_add(&done, 1) == 1000000000000) atomic_store(&open, 0);
    sched_yield();
}

int main(void) {
    ready();
    #pragma omp parallel num_threads(2)
    while (atomic_load(&open)) step();
    return 0;
}
