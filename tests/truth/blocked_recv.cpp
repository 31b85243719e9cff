// Both threads of a team receive with a timeout, and send little.
#include "truth.h"
#include <sys/socket.h>
#include <sys/time.h>

int main()
{
    int sockets[2][2];
    double begin = now(), asleep = 0, work = 0;
    for (auto &pair : sockets) {
        struct timeval limit = {0, 40000};
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) ||
            setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit))
            return 1;
    }
    // disease: blocked anywhere
    #pragma omp parallel num_threads(2) reduction(+ : asleep, work) // mark: region
    for (int i = 0; i < 15; i++) {
        char byte;
        double from = now();
        if (recv(sockets[omp_get_thread_num()][0], &byte, 1, 0) >= 0)
            abort();
        asleep += now() - from;
        work += burn(0.010);
    }
    truth("blocked.recv@region", asleep);
    truth("work@region", work);
    truth("elapsed", now() - begin);
}
