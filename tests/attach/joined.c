// Two threads of POSIX have regions until the file in argv[1] is there; the first thread waits for
// their ends, and loses nothing by it.

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static const char *stop;
static volatile double results[2];

static void *compute(void *result) {
    double sum = 0;
    while (access(stop, F_OK)) {
#pragma omp parallel num_threads(2) reduction(+ : sum)
        for (int i = 0; i < 2000000; i++) sum += i * 1e-9;
    }
    *(volatile double *)result = sum;
    return 0;
}

int main(int argc, char **argv) {
    pthread_t threads[2];
    if (argc < 2) return 1;
    stop = argv[1];
    puts("ready");
    fflush(stdout);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, compute, (void *)&results[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    puts(results[0] > 0 && results[1] > 0 ? "right" : "wrong");
    return 0;
}
