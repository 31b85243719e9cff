// A signal comes while its thread holds the allocator's lock, and the handler wants memory too.
// @kind: lock-in-signal-handler
// @says: the signal came while it was in
#include "hang.h"
#include "ticks.h"
#include <stdlib.h>

static void *volatile latest;

static void handle(int signal) {
    void *own = malloc(5000 + signal); // <A>
    latest = own;
    free(own); // <A>
}

static void work(void) {
    for (;;) {
        void *block = malloc(5000); // <B>
        latest = block;
        free(block); // <B>
    }
}

int main(void) {
    ready();
    #pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 1) {
            tick(handle);
            work();
        }
        #pragma omp barrier
    }
    return 0;
}
