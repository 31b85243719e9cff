// A member waits for a child that a signal has stopped.
// @kind: system-call
// @says: , which a signal has stopped
// @also: -O0
#include "hang.h"
#include <signal.h>
#include <sys/wait.h>
int main(void) {
    pid_t child = fork();
    if (!child) { alarm(240); for (;;) pause(); }
    kill(child, SIGSTOP);
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num()) waitpid(child, 0, 0); // <A>
        #pragma omp barrier // <B>
    }
    return 0;
}
