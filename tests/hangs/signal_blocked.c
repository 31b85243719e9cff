// A timer's signal is blocked in each thread, so its handler does not release the semaphore.
// @kind: waits-for-ever
// @says: No handler runs for SIGALRM, which the process has got: each thread blocks that signal
// @says: (the code changes what is blocked at signal_blocked.c:35)
// @stock: waits-for-ever
#include "hang.h"

#include <semaphore.h>
#include <signal.h>
#include <time.h>

static sem_t tick;

static void on_alarm(int signal) {
    (void)signal;
    sem_post(&tick); // <B>
}

static void start_clock(void) {
    struct sigaction action = {.sa_handler = on_alarm};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    struct itimerspec often = {{0, 10000000}, {0, 10000000}};
    timer_t timer;
    sigaction(SIGALRM, &action, NULL);
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) timer_settime(timer, 0, &often, NULL);
}

int main(void) {
    int ticks = 0;
    sigset_t quiet;
    sigemptyset(&quiet);
    sigaddset(&quiet, SIGALRM);
    sem_init(&tick, 0, 0);
    start_clock();
    pthread_sigmask(SIG_BLOCK, &quiet, NULL);
    ready();
    #pragma omp parallel num_threads(2)
    {
        #pragma omp masked
        while (ticks < 3) {
            if (sem_wait(&tick) == 0) ticks++; // <A>
        }
        #pragma omp barrier
    }
    return ticks != 3;
}
