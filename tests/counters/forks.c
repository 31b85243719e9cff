// A region before a fork, and one in the child, which meets pages for the first time.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile char sink;

static void touch(size_t pages)
{
#pragma omp parallel num_threads(2)
    {
        char *own = malloc(pages * 4096);
        memset(own, 1, pages * 4096);
        sink = own[pages];
        free(own);
    }
}

int main(void)
{
    touch(20000);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        touch(10000);
        return 0;
    }
    int status = 1;
    waitpid(child, &status, 0);
    puts(status == 0 ? "ok" : "the child failed");
    return status != 0;
}
