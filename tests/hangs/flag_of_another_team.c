// Both members of a team poll a flag. Its writer, of another team, waits for the thread that began
// the first team.
// @kind: spins
// @says: for the variable 'phase' to change
// @alone
// @also: -O0
#include <stdatomic.h>
#include "hang.h"

static atomic_int phase;

static void *consume(void *argument) {
    #pragma omp parallel num_threads(2)
    while (atomic_load_explicit(&phase, memory_order_acquire) < 1) // <A>
        usleep(200);                                               // <A>
    return argument;
}

int main(void) {
    pthread_t consumer;
    pthread_create(&consumer, NULL, consume, NULL);
    ready();
    #pragma omp parallel num_threads(2)
    {
        #pragma omp master
        pthread_join(consumer, NULL); // <B>
        #pragma omp barrier
        #pragma omp single
        atomic_store(&phase, 1);
    }
    return 0;
}
