// A thread tries for a lock, sleeps, and tries again; its holder waits at a barrier for it.
// @kind: barrier-in-cycle
// @says: tries again and again (omp_test_lock, try_and_sleep.c
// @alone
// @also: -O0
#include "hang.h"

static omp_lock_t lock;

int main(void) {
    omp_init_lock(&lock);
    ready();
    #pragma omp parallel num_threads(2)
    {
        #pragma omp masked
        omp_set_lock(&lock);
        #pragma omp barrier
        if (omp_get_thread_num() == 1)
            while (!omp_test_lock(&lock)) usleep(2000); // <A>
        #pragma omp barrier // <B>
    }
    return 0;
}
