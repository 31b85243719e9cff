// A member reads from a pipe up to its end, which does not come: a child that was forked before has
// the end at which is written.
// @kind: system-call
#include "../hang.h"

#include <signal.h>
#include <sys/prctl.h>

static void log_messages(void) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    alarm(240);
    for (;;) pause(); // <B>
}

int main(void) {
    int ends[2], sum = 0;
    char byte;
    if (pipe(ends)) return 1;
    if (fork() == 0) log_messages();
    if (write(ends[1], "abc", 3) != 3) return 1;
    close(ends[1]);
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    if (omp_get_thread_num() == 1)
        while (read(ends[0], &byte, 1) == 1) sum += byte; // <A>
    return sum;
}
