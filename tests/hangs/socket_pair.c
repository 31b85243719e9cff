// A member reads from a socket whose other end the process itself has, and nobody writes.
// @kind: system-call
// @says: its other end is file descriptor
// @debuggers alive
#include "hang.h"

#include <sys/socket.h>

static int next(int from) {
    char byte;
    return (int)recv(from, &byte, 1, 0) + 1; // <A>
}

int main(void) {
    int sum = 0, ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 1;
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        if (omp_get_thread_num() == 1) sum += next(ends[0]);
        #pragma omp barrier // <B>
        sum++;
    }
    return sum;
}
