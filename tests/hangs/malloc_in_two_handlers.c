// Two signals' handlers want memory. The thread whose handler holds the allocator's lock already is
// the cause; the other one was asleep when its signal came, and waits like anybody.
// @kind: lock-in-signal-handler
// @says: the signal came while it was in
// @never: in raise
// @alone
#include "hang.h"
#include "ticks.h"
#include <malloc.h>
#include <stdlib.h>

static void *volatile latest;

static void handle(int signal) {
    void *own = malloc(5000 + signal); // <A>
    latest = own;
    free(own); // <A>
    latest = NULL;
}

int main(void) {
    mallopt(M_ARENA_MAX, 1);
    ready();
    #pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 0) {
            signal(SIGUSR2, handle);
            for (;;) {
                usleep(1000);
                raise(SIGUSR2); // <never>
            }
        }
        if (omp_get_thread_num() == 2) {
            tick(handle);
            for (;;) {
                void *block = malloc(5000); // <B>
                latest = block;
                free(block); // <B>
            }
        }
    }
    return 0;
}
