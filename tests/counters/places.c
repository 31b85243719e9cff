// Meets PAGES pages for the first time in one region, and sleeps SLEEPS times in another; a third
// one computes. Prints what the system says of each region: page faults, and how often threads left
// their processors at their work.
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

enum { THREADS = 2, PAGES = 40000, SLEEPS = 200, PAGE = 4096 };

static void account(long *faults, long *left)
{
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    *faults = usage.ru_minflt + usage.ru_majflt;
    *left = usage.ru_nvcsw;
}

// Adds what came since the thread's begin of the region.
#define COUNTED(body)                                       \
    do {                                                    \
        long faults, left, faults_now, left_now;            \
        account(&faults, &left);                            \
        body;                                               \
        account(&faults_now, &left_now);                    \
        faults_sum += faults_now - faults;                  \
        left_sum += left_now - left;                        \
    } while (0)

static void touch(char *memory, size_t size)
{
    for (size_t at = 0; at < size; at += PAGE)
        memory[at] = 1;
}

static void sleep_often(int times)
{
    struct timespec pause = {0, 2000000};
    for (int i = 0; i < times; i++)
        nanosleep(&pause, NULL);
}

static volatile double sink;

static void compute(void)
{
    double begin = omp_get_wtime(), sum = 0;
    while (omp_get_wtime() - begin < 0.2)
        for (int i = 0; i < 1000; i++)
            sum += i * 0.5;
    sink = sum;
}

int main(void)
{
    const size_t size = (size_t)PAGES * PAGE;
    char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return 1;
    madvise(memory, size, MADV_NOHUGEPAGE);
    omp_set_num_threads(THREADS);
    long faults_sum = 0, left_sum = 0;

#pragma omp parallel reduction(+ : faults_sum, left_sum) // pages
    COUNTED(touch(memory + omp_get_thread_num() * (size / THREADS), size / THREADS));
    printf("pages %ld %ld\n", faults_sum, left_sum);

    faults_sum = left_sum = 0;
#pragma omp parallel reduction(+ : faults_sum, left_sum) // sleeps
    COUNTED(sleep_often(SLEEPS / THREADS));
    printf("sleeps %ld %ld\n", faults_sum, left_sum);

    faults_sum = left_sum = 0;
#pragma omp parallel reduction(+ : faults_sum, left_sum) // computes
    COUNTED(compute());
    printf("computes %ld %ld\n", faults_sum, left_sum);

    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("all %ld %ld\n", usage.ru_minflt + usage.ru_majflt, usage.ru_nvcsw);
    return 0;
}
