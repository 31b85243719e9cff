// A member reads from a pipe that another process would write to: that one is named.
// @kind: system-call
// @debuggers alive
// @says: , written by process
#include "hang.h"

#include <sys/prctl.h>

static int next(int from) {
    char byte;
    return (int)read(from, &byte, 1); // <A>
}

int main(void) {
    int sum = 0, ends[2];
    if (pipe(ends)) return 1;
    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, 9);
        alarm(240);
        close(ends[0]);
        for (;;) pause();
    }
    close(ends[1]);
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        if (omp_get_thread_num() == 1) sum += next(ends[0]);
        #pragma omp barrier // <B>
        sum++;
    }
    return sum;
}
