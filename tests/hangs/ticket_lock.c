// A lock of the program's own gives numbers out: its holder waits at a barrier for those whose
// numbers come later.
// @kind: spins
// @says: 'tickets.serving' to change
// @alone
// @also: -O0
#include <sched.h>
#include <stdatomic.h>
#include "hang.h"

static struct {
    atomic_uint next, serving;
} tickets;

static void lock(void) {
    unsigned own = atomic_fetch_add(&tickets.next, 1);
    while (atomic_load(&tickets.serving) != own) // <A>
        sched_yield();                           // <A>
}

static void unlock(void) { atomic_fetch_add(&tickets.serving, 1); }

int main(void) {
    ready();
    #pragma omp parallel num_threads(4)
    {
        lock();
        #pragma omp barrier // <B>
        unlock();
    }
    return 0;
}
