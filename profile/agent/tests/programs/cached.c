// Two threads on one processor read what is in memory: nobody sleeps, but each waits while the
// other has its turn. Says how long both were in the region, seconds.
#define _GNU_SOURCE
#include <fcntl.h>
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { SIZE = 1 << 18 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
    (void)argc;
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
    for (int cpu = 0, found = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &set) && found++) CPU_CLR(cpu, &set);
    sched_setaffinity(0, sizeof set, &set);
    double inside = 0;
#pragma omp parallel num_threads(2) reduction(+ : inside)
    {
        char *room = malloc(SIZE);
        int file = open(argv[0], O_RDONLY);
        double begin = now();
        while (now() < begin + 1.0)
            for (int i = 0; i < 50; i++)
                if (pread(file, room, SIZE, 0) <= 0) abort();
        inside += now() - begin;
        close(file);
        free(room);
    }
    printf("inside %f\n", inside);
    return 0;
}
