// Regions too short for a sample, then another program in the same process: an attempt that fails,
// after which this one goes on, and one that does not, with the functions that take a list and a
// vector of arguments.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((noinline)) static void regions(int count) {
    for (int i = 0; i < count; i++) {
#pragma omp parallel num_threads(2)
        __asm__ volatile("" ::: "memory");
    }
}

int main(int argc, char **argv) {
    if (argc > 3) {
        // The second program: the arguments arrived as they were given, those on the stack too.
        for (int i = 1; i < argc; i++)
            if (atoi(argv[i]) != i) return 3;
        regions(argc);
        char *last[] = {argv[0], "last", NULL};
        execv(argv[0], last);
        return 4;
    }
    if (argc > 1) {
        regions(2);
        return strcmp(argv[1], "last") != 0;
    }
    regions(5);
    execl("/nonexistent/program", "program", (char *)NULL);
    regions(6);
    printf("process %d\n", (int)getpid());
    fflush(stdout);
    execl(argv[0], argv[0], "1", "2", "3", "4", "5", "6", "7", "8", (char *)NULL);
    return 5;
}
