// A filter reads what this process writes, and writes what this process reads: the process has not
// closed the end that it writes to, so neither comes to an end.
// @kind: system-call
// @debuggers alive
// @says: , which waits for file descriptor 9 of this process: a circle)
#include "hang.h"

#include <sys/prctl.h>

static int filter(void) {
    int to[2], from[2];
    if (pipe(to) || pipe(from)) return 1;
    dup2(to[1], 9);
    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, 9);
        alarm(240);
        close(from[0]), close(to[1]), close(9);
        char bytes[16];
        for (ssize_t got; (got = read(to[0], bytes, sizeof bytes)) > 0;) {
            if (write(from[1], bytes, (size_t)got) != got) break;
        }
        _exit(0);
    }
    close(to[0]), close(from[1]), close(to[1]);
    if (write(9, "hello", 5) != 5) return 1;
    char bytes[16];
    int sum = 0;
    for (ssize_t got; (got = read(from[0], bytes, sizeof bytes)) > 0;) sum += (int)got; // <A>
    close(9);
    return sum;
}

int main(void) {
    int sum = 0;
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        if (omp_get_thread_num() == 1) sum += filter();
        #pragma omp barrier // <B>
        sum++;
    }
    return sum;
}
