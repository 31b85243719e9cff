// A server is told once of what comes, reads a part of it, and waits to be told of the rest.
// @kind: system-call
// @says: told of once for what comes (EPOLLET), and 4 bytes of it are not read
#include "hang.h"

#include <sys/epoll.h>
#include <sys/socket.h>

static int poll_of_events;

static int serve(int from) {
    char words[4];
    struct epoll_event event = {.events = EPOLLIN | EPOLLET};
    epoll_ctl(poll_of_events, EPOLL_CTL_ADD, from, &event);
    for (int i = 0; i < 4; i++) {
        if (epoll_wait(poll_of_events, &event, 1, -1) < 1) return 1; // <A>
        if (read(from, words, 4) != 4) return 1;
    }
    return 0;
}

int main(void) {
    int ends[2], sum = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 1;
    poll_of_events = epoll_create1(0);
    if (write(ends[1], "pingpong", 8) != 8) return 1;
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        if (omp_get_thread_num() == 1) sum += serve(ends[0]);
        #pragma omp barrier // <B>
        sum++;
    }
    return sum;
}
