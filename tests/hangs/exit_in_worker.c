// A worker of the program's own ends the program, and what the program does at its end waits for
// that worker.
// @kind: condition-not-signalled
// @says: is within exit, which it called at exit_in_worker.c:22 in check
#include "hang.h"

#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gone = PTHREAD_COND_INITIALIZER;
static int workers;

static void stop(void) {
    pthread_mutex_lock(&mutex);
    while (workers) pthread_cond_wait(&gone, &mutex); // <A>
    pthread_mutex_unlock(&mutex);
}

__attribute__((noinline)) static int check(int value) {
    if (value < 0) {
        fprintf(stderr, "bad value\n");
        exit(3); // <B>
    }
    return value;
}

static void *work(void *values) {
    for (int at = 0; at < 8; at++) check(((int *)values)[at]);
    pthread_mutex_lock(&mutex);
    workers--;
    pthread_cond_signal(&gone);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    int values[8] = {1, 2, 3, -4}, sum = 0;
    pthread_t worker;
    workers = 1;
    atexit(stop);
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    sum++;
    ready();
    if (pthread_create(&worker, NULL, work, values)) return 1;
    pthread_join(worker, NULL);
    return sum;
}
