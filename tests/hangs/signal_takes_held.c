// A timer's handler takes the mutex that the code which it interrupts holds. The timer goes on, and
// the kernel keeps its signal back while the handler runs.
// @kind: lock-in-signal-handler
// @says: waits for the pthread mutex 'stats', which thread 0 holds
// @says: which it holds itself: the signal came while it was at
// @never: No handler runs
#include "hang.h"

#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

static pthread_mutex_t stats = PTHREAD_MUTEX_INITIALIZER;
static volatile long cells, printed;

static void report(int signal) {
    (void)signal;
    pthread_mutex_lock(&stats); // <A>
    printed = cells;
    pthread_mutex_unlock(&stats);
}

static void account(void) {
    pthread_mutex_lock(&stats);
    for (;;)
        cells++;
}

int main(void) {
    struct sigaction action = {.sa_handler = report};
    struct itimerval every = {{0, 100000}, {0, 100000}};
    sigaction(SIGALRM, &action, NULL);
    ready();
    #pragma omp parallel num_threads(2)
    {
        #pragma omp masked
        {
            setitimer(ITIMER_REAL, &every, NULL);
            account();
        }
        #pragma omp barrier // the handler interrupts this wait too
    }
}
