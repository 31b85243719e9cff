// A thread tries for a lock again and again; its holder waits at a barrier for that thread.
// @kind: barrier-in-cycle
// @says: omp_test_lock
// @alone
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
            while (!omp_test_lock(&lock)) { // <A>
            }
        #pragma omp barrier // <B>
    }
    return 0;
}
