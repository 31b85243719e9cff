// As flag_of_each_thread.c, and the loop calls what may write memory: nobody knows that it has no
// end, but its own copy of the flag is not the one that was raised.
// @kind: none
// @says: has its own 'stop' (threadprivate, thread_local), and does not see what another one writes
#include <stdlib.h>
#include "hang.h"

static _Thread_local int stop;

int main(void) {
    double total = 0;
    ready();
    #pragma omp parallel num_threads(3) reduction(+ : total)
    {
        double x = omp_get_thread_num();
        if (omp_get_thread_num() == 0) {
            pause_a_little();
            stop = 1;
        } else {
            while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
                x += strtod("0.5", NULL);
                total += x;
            }
        }
    }
    return total == 7;
}
