// A signal comes while its thread holds the lock of the C library's random numbers, and the handler
// wants one too.
// @kind: lock-in-signal-handler
// @says: the signal came while it was in random at random_in_handler.c
#include "hang.h"
#include "ticks.h"
#include <stdlib.h>

static volatile long sum;

static void handle(int signal) {
    sum += random() + signal; // <A>
}

int main(void) {
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            tick(handle);
            for (;;) sum += random(); // <B>
        }
    }
    return 0;
}
