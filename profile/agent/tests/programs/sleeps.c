// Sleeping and polling calls must last as long and return the same as without a profiler.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

#define CHECK(seconds, expected, call)                                                         \
    do {                                                                                       \
        double begin = now();                                                                  \
        errno = 0;                                                                             \
        long result = (call);                                                                  \
        double took = now() - begin;                                                           \
        if (result != (expected) || took < (seconds)-0.0001) {                                 \
            printf("%s: %ld errno %d after %f s\n", #call, result, errno, took);               \
            bad++;                                                                             \
        }                                                                                      \
    } while (0)

static volatile int caught;
static void catch(int signal) { (void)signal; caught++; }
static pthread_t sleeper;
static void *waker(void *unused) {
    (void)unused;
    usleep(50000);
    pthread_kill(sleeper, SIGUSR1);
    return NULL;
}

int main(void) {
    int bad = 0;
#pragma omp parallel num_threads(2) reduction(+ : bad)
    {
        struct timespec t = {0, 60000000}, rest;
        struct timeval v = {0, 60000};
        struct epoll_event event;
        int epoll = epoll_create1(0);
        sigset_t none;
        sigemptyset(&none);
        CHECK(0.06, 0, nanosleep(&t, &rest));
        CHECK(0.06, 0, clock_nanosleep(CLOCK_MONOTONIC, 0, &t, &rest));
        CHECK(0.06, 0, usleep(60000));
        CHECK(1.0, 0, sleep(1));
        CHECK(0.06, 0, poll(NULL, 0, 60));
        CHECK(0.06, 0, ppoll(NULL, 0, &t, &none));
        CHECK(0.06, 0, select(0, NULL, NULL, NULL, &v));
        CHECK(0.06, 0, pselect(0, NULL, NULL, NULL, &t, &none));
        CHECK(0.06, 0, epoll_wait(epoll, &event, 1, 60));
        CHECK(0.06, 0, epoll_pwait(epoll, &event, 1, 60, &none));
        close(epoll);
    }
    // A signal of the program's own still interrupts.
    struct sigaction action = {.sa_handler = catch};
    sigaction(SIGUSR1, &action, NULL);
    sleeper = pthread_self();
    pthread_t thread;
    pthread_create(&thread, NULL, waker, NULL);
    struct timespec t = {20, 0};
    if (nanosleep(&t, NULL) != -1 || errno != EINTR || caught != 1) {
        printf("the program's own signal did not interrupt\n");
        bad++;
    }
    pthread_join(thread, NULL);
    // The sampling signal is the program's as well.
    for (int way = 0; way < 2; way++) {
        struct sigaction mine = {.sa_handler = catch}, seen;
        caught = 0;
        if (way == 0) sigaction(SIGURG, &mine, NULL);
        else signal(SIGURG, catch);
        sigaction(SIGURG, NULL, &seen);
        raise(SIGURG);
        usleep(20000);
        if (caught != 1 || seen.sa_handler != catch) {
            printf("SIGURG came %d times instead of once\n", caught);
            bad++;
        }
        signal(SIGURG, SIG_DFL);
        raise(SIGURG);
    }
    if (bad == 0) puts("ok");
    return bad != 0;
}
