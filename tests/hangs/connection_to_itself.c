// A member reads from a connection of the network that the process has with itself.
// @kind: system-call
// @says: its other end is file descriptor
// @debuggers alive
#include "hang.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

static int next(int from) {
    char byte;
    return (int)read(from, &byte, 1) + 1; // <A>
}

int main(void) {
    int sum = 0, door = socket(AF_INET, SOCK_STREAM, 0), out = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof here;
    if (bind(door, (void *)&here, length) || listen(door, 1)) return 1;
    if (getsockname(door, (void *)&here, &length)) return 1;
    if (connect(out, (void *)&here, length)) return 1;
    int in = accept(door, NULL, NULL);
    if (in < 0) return 1;
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        if (omp_get_thread_num() == 1) sum += next(in);
        #pragma omp barrier // <B>
        sum++;
    }
    return sum;
}
