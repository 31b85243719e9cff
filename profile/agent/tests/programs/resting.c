// Threads that sleep in a barrier while one works.
#include <omp.h>
#include <stdio.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

int main(void) {
    volatile double x = 1;
    for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(8)
        {
            if (omp_get_thread_num() == 0)
                for (double begin = now(); now() - begin < 0.4;) x = x * 1.0000001;
#pragma omp barrier
            if (omp_get_thread_num() == 1)
                for (double begin = now(); now() - begin < 0.1;) x = x * 1.0000001;
        }
    }
    return 0;
}
