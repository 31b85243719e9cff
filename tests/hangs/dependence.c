// A task depends on a detached one that is never complete.
// @kind: event-not-fulfilled
#include "hang.h"

static omp_event_handle_t kept;
static int x, y;

int main(void) {
    ready();
    #pragma omp parallel num_threads(2)
    #pragma omp single
    {
        omp_event_handle_t event;
        #pragma omp task depend(out : x) detach(event) // <A>
        kept = event;
        #pragma omp task depend(in : x) // <B>
        y = x + 1;
        #pragma omp taskwait
        y++;
    }
    return y + (kept != 0);
}
