// A known imbalance: thread 0 works one unit, thread 1 three, measured here as well.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static double hold(double seconds) {
    double begin = now();
    struct timespec t = {0, (long)(seconds * 1e9)};
    if (nanosleep(&t, NULL) != 0) exit(3);
    return now() - begin;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 10;
    double work[2] = {0, 0}, longest = 0, elapsed = 0;
    // The runtime starts here, not in what is measured.
#pragma omp parallel num_threads(2)
    __asm__ volatile("");
    double serial = hold(0.05);
    for (int i = 0; i < rounds; i++) {
        double mine[2];
        double begin = now();
#pragma omp parallel num_threads(2)
        {
            int me = omp_get_thread_num();
            mine[me] = hold(me == 0 ? 0.01 : 0.03);
        }
        elapsed += now() - begin;
        work[0] += mine[0];
        work[1] += mine[1];
        longest += mine[0] > mine[1] ? mine[0] : mine[1];
    }
    serial += hold(0.05);
    printf("work %.9f\n", work[0] + work[1]);
    printf("imbalance %.9f\n", 2 * longest - work[0] - work[1]);
    printf("longest %.9f\n", longest);
    printf("elapsed %.9f\n", elapsed);
    printf("serial %.9f\n", serial);
    return 0;
}
