// A thread that helps with a taskloop waits for a signal that nobody sends.
// @kind: system-call
// @says: rt_sigtimedwait
// @alone
// @also: -O0
#include <signal.h>
#include "hang.h"

static int is_there;

static void __attribute__((noinline)) wait_for(sigset_t *signals) {
    int which;
    __atomic_store_n(&is_there, 1, __ATOMIC_SEQ_CST);
    sigwait(signals, &which); // <A>
}

int main(void) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    ready();
    #pragma omp parallel num_threads(3)
    #pragma omp single
    {
        // Whoever makes the loop executes the first iteration until another thread helps.
        #pragma omp taskloop grainsize(1)
        for (int i = 0; i < 3; i++) {
            if (i == 1) wait_for(&signals);
            while (i == 0 && !__atomic_load_n(&is_there, __ATOMIC_SEQ_CST)) usleep(1000);
        }
    }
    return 0;
}
