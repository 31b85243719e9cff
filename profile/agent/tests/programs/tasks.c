// Explicit tasks, nested regions, explicit barriers: counted exactly.
#include <omp.h>
#include <stdio.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static double hold(long ns) {
    double begin = now();
    struct timespec t = {0, ns};
    nanosleep(&t, NULL);
    return now() - begin;
}

int main(void) {
    double tasks = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        {
            for (int i = 0; i < 40; i++) {
#pragma omp task shared(tasks)
                {
                    double mine = hold(1000000);
#pragma omp atomic
                    tasks += mine;
                }
            }
#pragma omp taskwait
#pragma omp taskgroup
            {
#pragma omp task
                hold(3000000);
            }
        }
#pragma omp barrier
    }
    omp_set_max_active_levels(2);
    // Not unrolled: each call would be a site of its own.
    volatile int five = 5, seven = 7;
    for (int i = 0; i < five; i++) {
#pragma omp parallel num_threads(2)
        {
            hold(1000000);
#pragma omp parallel num_threads(2)
            hold(2000000);
        }
    }
    for (int i = 0; i < seven; i++) {
#pragma omp parallel num_threads(1)
        hold(100000);
    }
    printf("tasks %.9f\n", tasks);
    return 0;
}
