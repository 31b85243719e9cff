/* Constructs inside of a region, each a known number of times; says how long its singles take. */
#include <omp.h>
#include <stdio.h>
#include <time.h>

enum { ROUNDS = 20, CHUNKS = 12, THREADS = 3 };

static volatile int sum;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static void meet(int round)
{
    if (round % 2) {
#pragma omp barrier
        sum += 0;
    } else {
        sum += 0;
#pragma omp barrier
    }
}

int main(void)
{
    double singles = 0;
    omp_set_num_threads(THREADS);
#pragma omp parallel
    for (int round = 0; round < ROUNDS; round++) {
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < CHUNKS; i++)
            sum += i;
#pragma omp sections
        {
#pragma omp section
            sum += 1;
#pragma omp section
            sum += 2;
        }
#pragma omp single
        {
            double begin = now();
            while (now() - begin < 0.001)
                ;
            singles += now() - begin;
        }
        meet(round);
#pragma omp for schedule(dynamic, 1) ordered
        for (int i = 0; i < THREADS; i++)
#pragma omp ordered
            sum += i;
    }
    printf("singles %.9f\n", singles);
    return 0;
}
