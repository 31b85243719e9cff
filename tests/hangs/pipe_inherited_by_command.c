// Two commands read from pipes: the second one inherits the end at which the first one is written
// to, and the first one never sees the end of what it reads.
// @kind: system-call
// @says: make the pipe at pipe_inherited_by_command.c:16 with O_CLOEXEC (pipe2)
// @never: comes from outside of the program
// @stock: system-call
#include "hang.h"

#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>

static int begin(int *to) {
    int ends[2], own;
    own = getpid();
    if (pipe(ends)) return -1;
    int child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, 9);
        if (getppid() != own) _exit(1);
        dup2(ends[0], 0);
        close(ends[0]);
        close(ends[1]);
        execlp("cat", "cat", "-", (char *)0);
        _exit(127);
    }
    close(ends[0]);
    *to = ends[1];
    return child;
}

static int __attribute__((noinline)) finish(int child, int to) {
    int status = 0;
    close(to);
    waitpid(child, &status, 0); // <A>
    return status;
}

int main(void) {
    int to_first, to_second, sum = 0;
    unsetenv("LD_PRELOAD");
    int first = begin(&to_first), second = begin(&to_second);
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum) // <B>
    {
        #pragma omp single // <B>
        sum += finish(first, to_first) + finish(second, to_second);
    } // <B>
    return sum;
}
