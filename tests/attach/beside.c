// Three threads of the program's own begin regions of two threads each, side by side, until the
// file in argv[1] is there.

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static const char *until;
static volatile double results[6];

static void *regions(void *at) {
    long own = (long)at;
    while (until && access(until, F_OK)) {
#pragma omp parallel num_threads(2) // pair
        {
            double sum = 0;
            for (int i = 0; i < 3000000; i++) sum += i * 1e-9;
            results[own] = sum;
        }
    }
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t threads[3];
    until = argc > 1 ? argv[1] : NULL;
    puts("ready");
    fflush(stdout);
    for (long i = 0; i < 3; i++) pthread_create(&threads[i], NULL, regions, (void *)i);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    return 0;
}
