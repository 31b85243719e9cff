// A signal's handler takes the lock that its thread holds.
// @kind: lock-in-signal-handler
#include "hang.h"

#include <signal.h>

static omp_lock_t lock;
static int sum;

static void handle(int signal) {
    omp_set_lock(&lock); // <A>
    sum += signal;
    omp_unset_lock(&lock);
}

int main(void) {
    omp_init_lock(&lock);
    signal(SIGUSR1, handle);
    ready();
    #pragma omp parallel num_threads(2)
    {
        #pragma omp master
        {
            omp_set_lock(&lock);
            raise(SIGUSR1); // <B>
            omp_unset_lock(&lock);
        }
        #pragma omp barrier
        sum++;
    }
    return sum;
}
