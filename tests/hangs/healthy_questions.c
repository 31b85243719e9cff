// Nothing is wrong: a thread asks the kernel again and again whether something has come, in one
// loop after the other, and another thread waits for it at a barrier.
// @kind: none
// @also: -O2
#include "hang.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

static int ends[2];

static pid_t begin_child(int writes) {
    pid_t child = fork();
    if (child != 0) return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    usleep(700000);
    _exit(writes && write(ends[1], "x", 1) != 1);
}

static void __attribute__((noinline)) until_text(void) {
    struct pollfd pipe = {.fd = ends[0], .events = POLLIN};
    while (!(pipe.revents & POLLIN) && poll(&pipe, 1, 0) >= 0) {}
}

static void __attribute__((noinline)) until_ended(pid_t child) {
    while (waitpid(child, NULL, WNOHANG) == 0) {}
}

static void __attribute__((noinline)) until_late(time_t late) {
    while (time(NULL) < late) {}
}

static void __attribute__((noinline)) until_read(void) {
    char byte;
    while (read(ends[0], &byte, 1) != 1) {}
}

static int rounds(void) {
    for (int round = 0; round < 100; round++) {
        pid_t child = begin_child(1);
        until_text();
        until_read();
        until_ended(child);
        child = begin_child(1);
        until_read();
        until_ended(child);
        child = begin_child(0);
        until_ended(child);
        until_late(time(NULL) + 1);
    }
    return 1;
}

int main(void) {
    int sum = 0;
    if (pipe(ends) != 0 || fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0) return 1;
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        if (omp_get_thread_num() == 0) sum += rounds();
        #pragma omp barrier
        sum++;
    }
    return sum;
}
