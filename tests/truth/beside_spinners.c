// Two functions compute for the same time; while the second one does, others want its processor.
// What it waits for that is no time of its own.
#define _GNU_SOURCE
#include "truth.h"
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define OTHERS 4

static double compute(double seconds)
{
    double begin = computed();
    while (computed() < begin + seconds)
        burn(0.0005);
    return computed() - begin;
}

APART double alone(double seconds)
{
    double took = compute(seconds);
    __asm__ volatile("");
    return took;
}

APART double beside(double seconds)
{
    double took = compute(seconds);
    __asm__ volatile("" : : "x"(took));
    return took;
}

static pid_t spin(void)
{
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;)
            burn(1.0);
    }
    return child;
}

int main(void)
{
    int first = 0;
    cpu_set_t mask;
    sched_getaffinity(0, sizeof mask, &mask);
    while (!CPU_ISSET(first, &mask))
        first++;
    CPU_ZERO(&mask);
    CPU_SET(first, &mask);
    sched_setaffinity(0, sizeof mask, &mask);
    double took[2];
    #pragma omp parallel num_threads(1)
    took[0] = alone(0.3);
    pid_t others[OTHERS];
    for (int i = 0; i < OTHERS; i++)
        others[i] = spin();
    double begin = now();
    #pragma omp parallel num_threads(1) // mark: region
    took[1] = beside(0.3);
    double region = now() - begin;
    for (int i = 0; i < OTHERS; i++) {
        kill(others[i], SIGKILL);
        waitpid(others[i], 0, 0);
    }
    truth("ran.alone", took[0]);
    truth("ran.beside", took[1]);
    truth("work@region", region);
}
