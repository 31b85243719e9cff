// Members wait for a semaphore that a clock's signal has posted, and for such a signal itself: by a
// handler, or by a thread that waits for it (-DTHREAD).
// @kind: none
// @also: -DTHREAD
#include "hang.h"

#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/time.h>

static sem_t slots;

#ifdef THREAD
static void *waits(void *set) {
    int signal;
    while (sigwait(set, &signal) == 0) sem_post(&slots);
    return NULL;
}
#else
static void handle(int signal) {
    (void)signal;
    sem_post(&slots);
}
#endif

int main(void) {
    struct itimerval often = {{1, 500000}, {1, 500000}};
    sem_init(&slots, 0, 0);
    ready();
#ifdef THREAD
    static sigset_t set;
    pthread_t thread;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, waits, &set);
#else
    signal(SIGALRM, handle);
#endif
    setitimer(ITIMER_REAL, &often, NULL);
    #pragma omp parallel num_threads(2)
    for (int i = 0; i < 150; i++) {
        #pragma omp master
        {
            while (sem_wait(&slots) && errno == EINTR) {}
#ifndef THREAD
            if (i % 2) pause();
#endif
        }
        #pragma omp barrier
    }
    return 0;
}
