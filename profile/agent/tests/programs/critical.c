// A hot critical section and a lock that nobody contends for; waits are measured here as well.
#include <omp.h>
#include <stdio.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

int main(void) {
    double wait = 0, held = 0;
    omp_lock_t free_lock;
    omp_nest_lock_t nest;
    omp_init_lock(&free_lock);
    omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(4) reduction(+ : wait, held)
    {
        for (int i = 0; i < 25; i++) {
            double asked = now();
#pragma omp critical(hot)
            {
                double got = now();
                wait += got - asked;
                struct timespec t = {0, 1000000};
                nanosleep(&t, NULL);
                held += now() - got;
            }
        }
    }
    for (int i = 0; i < 100; i++) {
        omp_set_lock(&free_lock);
        omp_unset_lock(&free_lock);
        if (omp_test_lock(&free_lock)) omp_unset_lock(&free_lock);
        omp_set_nest_lock(&nest);
        omp_set_nest_lock(&nest);
        omp_unset_nest_lock(&nest);
        omp_unset_nest_lock(&nest);
    }
    printf("wait %.9f\nheld %.9f\n", wait, held);
    return 0;
}
