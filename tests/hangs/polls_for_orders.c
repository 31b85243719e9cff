// A member polls for orders from outside at a socket, and for its end at a pipe of the program's
// own: the threads that wait for it are not the only ones that may wake it.
// @kind: system-call
// @says: listening at
// @never: none of its threads goes on
// @stock: system-call
// @alone
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include "hang.h"

int main(void) {
    int ends[2], orders = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (pipe(ends) || bind(orders, (struct sockaddr *)&here, sizeof here) || listen(orders, 1))
        return 1;
    ready();
    #pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 1) {
            struct pollfd two[] = {{.fd = ends[0], .events = POLLIN},
                                   {.fd = orders, .events = POLLIN}};
            poll(two, 2, -1); // <A>
        }
        #pragma omp barrier // <B>
        if (omp_get_thread_num() == 0 && write(ends[1], "x", 1) < 0) puts("");
    }
    return 0;
}
