// One thread writes into a socket, another one reads from it: nothing hangs.
// @kind: none
// @debuggers alive
#include "hang.h"

#include <sys/socket.h>

int main(void) {
    int ends[2];
    volatile int sum = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 1;
    ready();
    #pragma omp parallel num_threads(2)
    for (char byte = 0;;) {
        if (omp_get_thread_num() == 1) {
            if (recv(ends[0], &byte, 1, 0) == 1) sum++;
        } else {
            usleep(2000);
            if (send(ends[1], &byte, 1, 0) != 1) sum--;
        }
    }
}
