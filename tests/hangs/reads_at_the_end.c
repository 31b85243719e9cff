// A member reads from a connection until a whole message has come, and the other side has closed
// it: each read returns nothing at once.
// @kind: asks-again
// @says: whose other end is closed, with nothing left to read
// @alone
// @stock: asks-again
#include "hang.h"
#include <sys/socket.h>

int main(void) {
    int ends[2], message[4];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 1;
    ready();
    #pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 0) {
            if (write(ends[1], message, sizeof message[0]) < 0) puts("");
            close(ends[1]);
        }
        if (omp_get_thread_num() == 1) {
            size_t come = 0;
            while (come < sizeof message) // <A>
                come += read(ends[0], (char *)message + come, sizeof message - come); // <A>
        }
        #pragma omp barrier // <B>
        if (omp_get_thread_num() == 2) puts("");
    }
    return 0;
}
