// A signal's handler writes to a stream that another thread has locked, and that one waits for the
// lock of the thread that the signal interrupted.
// @kind: lock-cycle
// @says: waits for the lock of a stream 'stderr', which thread 1 holds
#include "hang.h"
#include <signal.h>

static omp_lock_t lock;

static void handle(int signal) {
    fprintf(stderr, "signal %d\n", signal); // <A>
}

int main(void) {
    omp_init_lock(&lock);
    signal(SIGUSR1, handle);
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            omp_set_lock(&lock);
            wait_for_all(2);
            raise(SIGUSR1); // <A> where the handler ended in the call, and left no frame
            omp_unset_lock(&lock);
        } else {
            flockfile(stderr);
            wait_for_all(2);
            omp_set_lock(&lock); // <B>
            omp_unset_lock(&lock);
            funlockfile(stderr);
        }
    }
    return 0;
}
