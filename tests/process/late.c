/* What the program does between its start and its first contact with OpenMP counts: variables that
 * it sets and removes, and the processors that it binds itself to. One child process a case, since
 * settings are read once. */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int team(void)
{
    int size = 0;
#pragma omp parallel
#pragma omp single
    size = omp_get_num_threads();
    return size;
}

static int sets(void)
{
    setenv("OMP_NUM_THREADS", "3", 1);
    return team() == 3;
}

static int changes(void)
{
    setenv("OMP_NUM_THREADS", "2", 1);
    setenv("OMP_NUM_THREADS", "4", 1);
    setenv("OMP_DYNAMIC", "true", 1);
    return omp_get_max_threads() == 4 && omp_get_dynamic();
}

static int removes(void)
{
    unsetenv("OMP_THREAD_LIMIT");
    return omp_get_thread_limit() > 5;
}

static int keeps(void)
{
    return omp_get_thread_limit() == 5 && team() == 1;
}

static int puts_in_place(void)
{
    static char text[] = "OMP_NUM_THREADS=6";
    putenv(text);
    return omp_get_max_threads() == 6 && team() == 5; /* cut by the limit */
}

static int binds(void)
{
    cpu_set_t set;
    unsetenv("OMP_NUM_THREADS");
    sched_getaffinity(0, sizeof set, &set);
    for (int cpu = 0, first = 1; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &set)) {
            if (!first)
                CPU_CLR(cpu, &set);
            first = 0;
        }
    sched_setaffinity(0, sizeof set, &set);
    return omp_get_num_procs() == 1 && omp_get_max_threads() == 1 && team() == 1;
}

/* A child of a process that has not come to OpenMP yet reads for itself, and so does its parent. */
static int forks(void)
{
    int status = 1;
    pid_t child = fork();
    if (child == 0)
        _exit(sets() ? 0 : 1);
    waitpid(child, &status, 0);
    return status == 0 && keeps();
}

static const struct {
    const char *name;
    int (*run)(void);
} CASES[] = {
    {"sets", sets},   {"changes", changes}, {"removes", removes}, {"keeps", keeps},
    {"puts_in_place", puts_in_place},       {"binds", binds},     {"forks", forks},
};

int main(int argc, char **argv)
{
    int good = 1;
    if (argc > 1) {
        for (size_t at = 0; at < sizeof CASES / sizeof *CASES; at++)
            if (!strcmp(argv[1], CASES[at].name))
                return !CASES[at].run();
        return 2;
    }
    setenv("OMP_NUM_THREADS", "1", 1);
    setenv("OMP_THREAD_LIMIT", "5", 1);
    for (size_t at = 0; at < sizeof CASES / sizeof *CASES; at++) {
        int status = 1;
        pid_t child = fork();
        if (child == 0) {
            execl("/proc/self/exe", argv[0], CASES[at].name, (char *)0);
            _exit(3);
        }
        waitpid(child, &status, 0);
        if (status) {
            printf("%s: status %d\n", CASES[at].name, status);
            good = 0;
        }
    }
    puts(good ? "ok" : "failed");
    return !good;
}
