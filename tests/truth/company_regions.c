// healthy
// Regions of one thread in each of two POSIX threads, with serial work of their own between them.
#include "truth.h"
#include <pthread.h>

static void *half(void *took)
{
    double sum = 0;
    for (int step = 0; step < 15; step++) {
        burn(0.015);
        #pragma omp parallel num_threads(1) reduction(+ : sum) // mark: region
        sum += burn(0.015);
    }
    *(double *)took = sum;
    return took;
}

int main(void)
{
    double begin = now(), theirs = 0, own = 0;
    pthread_t thread;
    pthread_create(&thread, 0, half, &theirs);
    half(&own);
    pthread_join(thread, 0);
    truth("work@region", own + theirs);
    truth("instances@region", 30);
    truth("elapsed", now() - begin);
}
