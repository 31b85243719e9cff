// A member waits for a process that waits for it.
// @kind: system-call
// @says: wait4 (process
#include "hang.h"

#include <sys/wait.h>

static int __attribute__((noinline)) result_of(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0); // <A>
    return status;
}

int main(void) {
    int sum = 0, words[2];
    char byte;
    if (pipe(words)) return 1;
    pid_t child = fork();
    if (child == 0) {
        alarm(240);
        close(words[1]);
        return read(words[0], &byte, 1) < 0; // the end of the pipe comes with that of its parent
    }
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        if (omp_get_thread_num() == 1) sum += result_of(child);
        #pragma omp barrier // <B>
        sum++;
    }
    return sum;
}
