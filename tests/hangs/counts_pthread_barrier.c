// The barrier counts the main thread too, which never comes to it.
// @kind: waits-for-ever
// @says: was made for 4 threads at
// @also: -O0
#include "hang.h"

#define WORKERS 3

static pthread_barrier_t phase_end;
static double parts[WORKERS];

static double phase(int worker, int number) {
    double sum = 0;
    for (int at = 1; at < 1000; at++) sum += 1.0 / (at * (worker + 1) + number);
    return sum;
}

static void *work(void *argument) {
    int me = (int)(long)argument;
    for (int number = 0; number < 3; number++) {
        parts[me] += phase(me, number);
        pthread_barrier_wait(&phase_end); // <A>
    }
    return NULL;
}

int main(void) {
    pthread_t workers[WORKERS];
    if (pthread_barrier_init(&phase_end, NULL, WORKERS + 1) != 0) return 1; // <B>
    ready();
    for (int at = 0; at < WORKERS; at++)
        pthread_create(&workers[at], NULL, work, (void *)(long)at);
    for (int at = 0; at < WORKERS; at++) pthread_join(workers[at], NULL);
    double sum = 0;
    for (int at = 0; at < WORKERS; at++) sum += parts[at];
    printf("%g\n", sum);
    pthread_barrier_destroy(&phase_end);
    return 0;
}
