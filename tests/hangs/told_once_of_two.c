// A server is told once of what comes, and reads one of two questions; the client waits for both.
// @kind: cycle
// @says: has left 8 bytes unread, and epoll does not tell of them again (EPOLLET)
// @never: has a way past
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include "hang.h"

static void serve(int end) {
    struct epoll_event wanted = {.events = EPOLLIN | EPOLLET}, got;
    int events = epoll_create1(0);
    fcntl(end, F_SETFL, O_NONBLOCK);
    pause_a_little();
    epoll_ctl(events, EPOLL_CTL_ADD, end, &wanted);
    for (;;) {
        double question;
        if (epoll_wait(events, &got, 1, -1) < 0) continue; // <A>
        if (read(end, &question, sizeof question) <= 0) return;
        question *= 2;
        if (write(end, &question, sizeof question) < 0) return;
    }
}

static double ask(int end) {
    double one = 1, two = 2, answer, sum = 0;
    if (write(end, &one, sizeof one) < 0) return -1;
    if (write(end, &two, sizeof two) < 0) return -1;
    for (int at = 0; at < 2; at++) {
        if (read(end, &answer, sizeof answer) < 0) return -1; // <B>
        sum += answer;
    }
    return sum;
}

int main(void) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 1;
    ready();
    #pragma omp parallel num_threads(2)
    if (omp_get_thread_num()) ask(ends[0]);
    else serve(ends[1]);
    return 0;
}
