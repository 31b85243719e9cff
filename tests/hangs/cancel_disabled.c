// Cancellation is off, as it is unless OMP_CANCELLATION says otherwise: who waits for it waits.
// @kind: spins
// @says: 'cancel' (cancel_disabled.c:14)
// @never: by itself
// @also: -O0
// @stock: spins
#include "hang.h"

int main(void) {
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            #pragma omp cancel parallel
        } else {
            for (;;) {
                usleep(500); // <A>
                #pragma omp cancellation point parallel // <A>
            }
        }
    }
    return 0;
}
