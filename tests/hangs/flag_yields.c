// A member polls a flag within a critical section that the flag's writer wants, and yields its
// processor in each round.
// @kind: spins
// @says: may come to flag_yields.c:22 once it goes on
// @alone
// @also: -O0
#include <sched.h>
#include "hang.h"

static volatile int done;

int main(void) {
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            #pragma omp critical(table)
            while (!done) sched_yield(); // <A>
        } else {
            pause_a_little();
            #pragma omp critical(table) // <B>
            done = 1;
        }
    }
    return 0;
}
