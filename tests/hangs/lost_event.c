// A detached task whose event nobody fulfils.
// @kind: event-not-fulfilled
#include "hang.h"

static omp_event_handle_t kept;

int main(void) {
    int got = 0;
    ready();
    #pragma omp parallel num_threads(2)
    #pragma omp single
    {
        omp_event_handle_t event;
        #pragma omp task detach(event) shared(got) // <B>
        {
            kept = event;
            got++;
        }
        #pragma omp taskwait // <A>
        got++;
    }
    return got + (kept != 0);
}
