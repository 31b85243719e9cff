// Takes all that its user may have of timers and queued signals, which here is 8, and says how many
// it got by each way. A user namespace of its own counts by itself; 77 where there is none.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int timers(int (*make)(struct sigevent *, void *)) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 3};
    timer_t all[20];
    int count = 0;
    while (count < 20 && make(&event, &all[count]) == 0) count++;
    int refused = errno == EAGAIN;
    for (int i = 0; i < count; i++) syscall(SYS_timer_delete, (int)(long)all[i]);
    return refused ? count : -1;
}

static int by_library(struct sigevent *event, void *timer) {
    return timer_create(CLOCK_MONOTONIC, event, timer);
}

static int by_number(struct sigevent *event, void *timer) {
    *(long *)timer = 0;
    return syscall(SYS_timer_create, CLOCK_MONOTONIC, event, timer);
}

static sigset_t blocked(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN + 4);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    return set;
}

// A blocked signal, queued again and again, and taken.
static int queued(int to_thread) {
    int signal = SIGRTMIN + 4, count = 0, refused = 0;
    sigset_t set = blocked();
    union sigval value = {.sival_int = 1};
    while (count < 20 && !refused) {
        if (to_thread)
            refused = pthread_sigqueue(pthread_self(), signal, value);
        else if (sigqueue(getpid(), signal, value))
            refused = errno;
        count += !refused;
    }
    struct timespec none = {0};
    while (sigtimedwait(&set, NULL, &none) == signal);
    return refused == EAGAIN ? count : -1;
}

static void region(void) {
#pragma omp parallel num_threads(3)
    {
        volatile double x = 1;
        for (int i = 0; i < 1000000; i++) x = x * 1.0000001;
    }
}

int main(int count, char **arguments) {
    if (count == 2) {
        struct rlimit limit = {8, 8};
        if (unshare(CLONE_NEWUSER) || setrlimit(RLIMIT_SIGPENDING, &limit)) return 77;
        execl("/proc/self/exe", arguments[0], arguments[1], "again", NULL);
        return 1;
    }
    // Before there are other threads, which may take it otherwise.
    blocked();
    region();
    int got = -1;
    if (!strcmp(arguments[1], "timer_create")) got = timers(by_library);
    if (!strcmp(arguments[1], "syscall")) got = timers(by_number);
    if (!strcmp(arguments[1], "sigqueue")) got = queued(0);
    if (!strcmp(arguments[1], "pthread_sigqueue")) got = queued(1);
    region();
    printf("got %d\n", got);
    return 0;
}
