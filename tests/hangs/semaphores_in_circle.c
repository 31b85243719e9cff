// Three threads have a semaphore each, and want that of the next one: one cause, not three.
// @kind: cycle
// @says: each has taken a semaphore that it has not released
// @alone
// @also: -O0
#include "hang.h"

#include <semaphore.h>

#define COUNT 3

static sem_t forks[COUNT];
static int eaten;

__attribute__((noinline)) static void eat(int place) {
    sem_wait(&forks[place]); // <B>
    wait_for_all(COUNT);
    sem_wait(&forks[(place + 1) % COUNT]); // <A>
    eaten++;
    sem_post(&forks[place]);
    sem_post(&forks[(place + 1) % COUNT]);
}

int main(void) {
    for (int at = 0; at < COUNT; at++) sem_init(&forks[at], 0, 1);
    ready();
    #pragma omp parallel num_threads(COUNT)
    eat(omp_get_thread_num());
    return eaten;
}
