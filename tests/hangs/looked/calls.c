// Members sleep in calls that return EINTR when a stop takes a thread out of them, or the part that
// they have moved: the status says how many did. A call with a time is over in that time, however
// often it is looked at.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/time.h>
#include "../hang.h"

enum { CALLS = 10, OVER_IN_TIME = 100, MUCH = 1 << 22 };
static int ends[2], full[2], half[2], piped[2];
static int set, polled, watched, told, over;
static char *much;

static void count(int result) {
    int is_told = result < 0 ? errno == EINTR : result > 0;
    if (is_told) __atomic_add_fetch(&told, 1, __ATOMIC_SEQ_CST);
}

static void call(int which) {
    struct sembuf take = {0, -1, 0};
    struct timespec time = {20, 0};
    struct epoll_event event;
    sigset_t none;
    char byte;
    sigemptyset(&none);
    switch (which) {
    case 0: count(epoll_wait(polled, &event, 1, -1)); break;
    case 1: count(semop(set, &take, 1)); break;
    case 2: count(sigwaitinfo(&none, NULL)); break;
    case 3: count((int)recv(ends[0], &byte, 1, 0)); break;
    case 4: count(semtimedop(set, &take, 1, &time)); break;
    case 5: count((int)write(piped[1], much, MUCH)); break;
    case 6: count((int)send(full[0], much, MUCH, 0)); break;
    case 7: count((int)recv(half[0], much, MUCH, MSG_WAITALL)); break;
    case 8: count((int)read(watched, much, MUCH)); break;
    default: {
        int result = epoll_wait(polled, &event, 1, OVER_IN_TIME);
        count(result);
        if (result == 0) __atomic_add_fetch(&over, 1, __ATOMIC_SEQ_CST);
    }
    }
}

int main(void) {
    struct timeval time = {100, 0};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 101;
    setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
    set = semget(IPC_PRIVATE, 1, 0600 | IPC_CREAT);
    polled = epoll_create1(0);
    watched = inotify_init1(0);
    much = calloc(1, MUCH);
    if (!much || pipe(piped) || socketpair(AF_UNIX, SOCK_STREAM, 0, full)) return 101;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, half) || write(half[1], "half", 4) != 4) return 101;
    #pragma omp parallel num_threads(CALLS + 1)
    {
        int me = omp_get_thread_num();
        wait_for_all(CALLS + 1);
        if (me == CALLS) {
            char byte;
            usleep(300000);
            __atomic_store_n(&over, 0, __ATOMIC_SEQ_CST);
            ready();
            if (read(0, &byte, 1) == 1) _exit(102); // the end of the test comes by its end
            semctl(set, 0, IPC_RMID);
            int seen = __atomic_load_n(&over, __ATOMIC_SEQ_CST);
            _exit(seen == 0 ? 103 : __atomic_load_n(&told, __ATOMIC_SEQ_CST));
        }
        for (;;) call(me);
    }
}
