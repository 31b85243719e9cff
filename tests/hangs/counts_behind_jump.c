// A barrier of the program's own that stores the number of threads once it has compared it, for
// more threads than the region has.
// @kind: condition-not-signalled
// @says: compares 'hall->inside' (now 2) with 'hall->places' (now 3)
// @also: -O0
#include <stdlib.h>
#include "hang.h"

struct hall {
    pthread_mutex_t door;
    pthread_cond_t full;
    int places, inside;
    unsigned round;
};

static __attribute__((noinline)) void enter(struct hall *hall) {
    pthread_mutex_lock(&hall->door);
    unsigned round = hall->round;
    if (hall->inside + 1 == hall->places) { // <B>
        hall->inside = 0;
        hall->round++;
        pthread_cond_broadcast(&hall->full);
    } else {
        hall->inside++;
        while (round == hall->round)
            pthread_cond_wait(&hall->full, &hall->door); // <A>
    }
    pthread_mutex_unlock(&hall->door);
}

int main(void) {
    struct hall *hall = calloc(1, sizeof *hall);
    pthread_mutex_init(&hall->door, NULL);
    pthread_cond_init(&hall->full, NULL);
    hall->places = 3;
    ready();
    #pragma omp parallel num_threads(2)
    for (int i = 0; i < 3; i++) enter(hall);
    return 0;
}
