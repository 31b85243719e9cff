// One member waits for an answer to half a request; the other one watches its end of the socket by
// epoll for the other half.
// @kind: cycle
// @says: wait for each other
// @stock: cycle
// @alone
#include "hang.h"

#include <sys/epoll.h>
#include <sys/socket.h>

static int ends[2];

__attribute__((noinline)) static int ask(int end) {
    char answer;
    if (write(end, "ask", 3) != 3) return 0;
    return (int)read(end, &answer, 1); // <A>
}

__attribute__((noinline)) static int serve(int end) {
    struct epoll_event event = {.events = EPOLLIN}, got;
    char request[6];
    int watch = epoll_create1(0), have = 0;
    epoll_ctl(watch, EPOLL_CTL_ADD, end, &event);
    while (have < 6) {
        if (epoll_wait(watch, &got, 1, -1) != 1) return 0; // <B>
        have += (int)read(end, request + have, sizeof request - have);
    }
    return (int)write(end, request, 1);
}

int main(void) {
    int sum = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 1;
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    sum += omp_get_thread_num() == 0 ? ask(ends[0]) : serve(ends[1]);
    return sum;
}
