// A second child inherits the end at which the first one is written to: that one never sees the
// end of what it reads, and its parent waits for it.
// @kind: system-call
// @says: and this process wait for each other
// @never: comes from outside of the program
#include "hang.h"

#include <sys/prctl.h>
#include <sys/wait.h>

static int begin(int *to) {
    int ends[2];
    if (pipe(ends)) return -1;
    int child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, 9);
        alarm(240);
        char byte;
        dup2(ends[0], 0);
        close(ends[0]);
        close(ends[1]);
        while (read(0, &byte, 1) > 0) continue;
        _exit(0);
    }
    close(ends[0]);
    *to = ends[1];
    return child;
}

static int finish(int child, int to) {
    int status = 0;
    close(to);
    waitpid(child, &status, 0); // <A>
    return status;
}

int main(void) {
    int to_first, to_second, sum = 0;
    int first = begin(&to_first), second = begin(&to_second);
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum) // <B>
    {
        #pragma omp single // <B>
        sum += finish(first, to_first) + finish(second, to_second);
    } // <B>
    return sum;
}
