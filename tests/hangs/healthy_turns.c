// Nothing is wrong: threads meet at a barrier of the program's own, at which they ask a function
// for the turn and yield, and have work of unlike length.
// @kind: none
// @also: -O0
#include <sched.h>
#include <stdatomic.h>
#include "hang.h"

static atomic_int come, turn;

static int __attribute__((noinline)) now(void) { return atomic_load(&turn); }

static void __attribute__((noinline)) meet(int *own) {
    *own = !*own;
    if (atomic_fetch_add(&come, 1) == 2) {
        atomic_store(&come, 0);
        atomic_store(&turn, *own);
    } else {
        while (now() != *own) sched_yield();
    }
}

int main(void) {
    ready();
    #pragma omp parallel num_threads(3)
    {
        int own = 0;
        for (int step = 0;; step++) {
            double end = omp_get_wtime() + 0.04;
            while (step % 3 == omp_get_thread_num() && omp_get_wtime() < end) {}
            meet(&own);
        }
    }
}
