// gcc makes two calls of the one barrier behind a `single`, with lines of whatever stands before:
// nobody has parted there.
// @kind: waits-for-ever
// @also: -O2
// @says: the semaphore 'slots'
// @never: parted
#include "hang.h"

#include <semaphore.h>

static sem_t slots;

int main(void) {
    sem_init(&slots, 0, 3);
    ready();
    #pragma omp parallel num_threads(3)
    for (int i = 0; i < 30; i++) {
        #pragma omp single
        sem_wait(&slots); // <A>
    }
    return 0;
}
