// The event of a detached task is fulfilled by a task that depends on it.
// @kind: event-not-fulfilled
// @says: each waits for the other
// @also: -O0
#include "hang.h"

static double halo[100];
static int status;

int main(void) {
    ready();
    #pragma omp parallel num_threads(3)
    #pragma omp single
    {
        omp_event_handle_t arrived;
        #pragma omp task detach(arrived) depend(out : halo)
        for (int at = 0; at < 100; at++) halo[at] = at;
        #pragma omp task depend(in : halo) depend(out : status) firstprivate(arrived)
        {
            status = halo[3] > 0;
            omp_fulfill_event(arrived); // <B>
        }
        #pragma omp taskwait // <A>
    }
    return status;
}
