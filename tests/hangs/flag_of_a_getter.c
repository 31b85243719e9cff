// A section waits for a flag that it asks a function for; nobody sets it.
// @kind: spins
// @says: for the variable 'loaded' to change (read at
// @alone
// @also: -O0
#include <sched.h>
#include "hang.h"

static volatile int loaded, wanted;

static int __attribute__((noinline)) is_loaded(void) { return loaded; } // <B>

static int __attribute__((noinline)) may_begin(int least) {
    return is_loaded() >= least;
}

int main(void) {
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            while (!may_begin(1)) // <A>
                sched_yield();    // <A>
        } else if (wanted) {
            loaded = 1;
        }
    }
    return 0;
}
