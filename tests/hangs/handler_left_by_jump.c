// A signal's handler ends in the call of the C library that waits: the jump leaves no frame of the
// handler, and the code tells which one it is.
// @kind: lock-cycle
// @says: progress
// @also: -O2
#include "hang.h"

#include <signal.h>

static FILE *out;
static volatile long done;

static void progress(int number) {
    (void)number;
    fprintf(out, "%ld\n", done); // <A>
}

int main(void) {
    out = fopen("/dev/null", "w");
    signal(SIGUSR2, progress);
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            flockfile(out);
            wait_for_all(2);
            #pragma omp critical(state) // <B>
            done++;
            funlockfile(out);
        } else {
            #pragma omp critical(state) // <B>
            {
                wait_for_all(2);
                pthread_kill(pthread_self(), SIGUSR2);
                done++;
            }
        }
    }
    return 0;
}
