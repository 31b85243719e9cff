// A child that goes on with regions, one that ends at once, one that executes another program.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

__attribute__((noinline)) static void regions(int count) {
    for (int i = 0; i < count; i++) {
#pragma omp parallel num_threads(2)
        {
            struct timespec t = {0, 1000000};
            nanosleep(&t, NULL);
        }
    }
}

static void expect(pid_t child) {
    int status;
    if (waitpid(child, &status, 0) != child || status != 0) exit(4);
}

int main(int argc, char **argv) {
    if (argc > 1) {
        regions(atoi(argv[1]));
        return 0;
    }
    regions(20);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        regions(7);
        exit(0);
    }
    expect(child);
    printf("forked %d\n", child);
    fflush(stdout);
    if ((child = fork()) == 0) _exit(0);
    expect(child);
    printf("quiet %d\n", child);
    fflush(stdout);
    if ((child = fork()) == 0) {
        execl(argv[0], argv[0], "5", NULL);
        _exit(127);
    }
    expect(child);
    printf("executed %d\n", child);
    regions(10);
    return 0;
}
