/* Two threads with equal work, again and again. The argument `bind` binds the process to one
 * processor before its first region. */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

static double work(void)
{
    volatile double sum = 0;
    for (int i = 0; i < 6000000; i++)
        sum += i * 0.5;
    return sum;
}

int main(int argc, char **argv)
{
    double sum = 0;
    if (argc > 1 && strcmp(argv[1], "bind") == 0) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(sched_getcpu(), &set);
        sched_setaffinity(0, sizeof set, &set);
    }
    for (int step = 0; step < 25; step++) {
#pragma omp parallel num_threads(2) reduction(+ : sum) // the region
        sum += work();
    }
    puts(sum > 0 ? "ok" : "none");
}
