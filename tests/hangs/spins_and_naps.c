// A task polls for an item that its maker adds behind a taskwait.
// @kind: spins
// @says: for the variable 'items' to change
// @never: by itself
// @alone
// @also: -O0
#include <stdatomic.h>
#include "hang.h"

static atomic_int items;

int main(void) {
    ready();
    #pragma omp parallel num_threads(3)
    #pragma omp single
    {
        #pragma omp task
        for (int got = 0; got < 2; got++) {
            while (atomic_load(&items) <= got) // <A>
                usleep(1000);                  // <A>
        }
        atomic_fetch_add(&items, 1);
        #pragma omp taskwait
        atomic_fetch_add(&items, 1);
    }
    return 0;
}
