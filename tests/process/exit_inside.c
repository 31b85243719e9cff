/* The end of the program inside a region: argv[1] says how; 7 is the exit status wanted. */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void last_words(void)
{
    puts("last words");
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "primary";
    int worker = !strcmp(how, "worker");
    atexit(last_words);
    for (int i = 0; i < 10; i++) {
#pragma omp parallel num_threads(4)
        ;
    }
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == (worker ? 2 : 0)) {
            if (!strcmp(how, "task")) {
#pragma omp task if (0)
                exit(7);
            }
            if (!strcmp(how, "quick")) {
                fflush(stdout);
                puts("last words");
                fflush(stdout);
                _exit(7);
            }
            exit(7);
        }
#pragma omp barrier
    }
    return 1;
}
