// Workers meet after each round; one leaves its rounds as soon as its own part has converged.
// @kind: waits-for-ever
// @says: has a way past the barrier at
// @also: -O0
#include "hang.h"

#include <math.h>
#include <stdlib.h>

#define WORKERS 3

struct worker {
    pthread_t thread;
    int number;
    double error;
    int rounds;
};

static pthread_barrier_t round_end;
static double shared_error[WORKERS];

static double improve(struct worker *worker, int round) {
    return worker->error / (worker->number == 1 ? 100 : 2 + round % 2);
}

static void *run(void *argument) {
    struct worker *worker = argument;
    for (int round = 0; round < 50; round++) {
        worker->error = improve(worker, round);
        shared_error[worker->number] = worker->error;
        if (worker->error < 1e-6)
            break; // <B>
        pthread_barrier_wait(&round_end); // <A>
        worker->rounds++;
    }
    return NULL;
}

int main(void) {
    static struct worker workers[WORKERS];
    pthread_barrier_init(&round_end, NULL, WORKERS);
    ready();
    for (int at = 0; at < WORKERS; at++) {
        workers[at] = (struct worker){.number = at, .error = 1};
        pthread_create(&workers[at].thread, NULL, run, &workers[at]);
    }
    for (int at = 0; at < WORKERS; at++) pthread_join(workers[at].thread, NULL);
    pthread_barrier_destroy(&round_end);
    printf("%d %g\n", workers[0].rounds, shared_error[0]);
    return 0;
}
