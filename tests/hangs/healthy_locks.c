// Threads take turns with a lock and a critical section: nothing hangs.
// @kind: none
// @debuggers alive
#include "hang.h"

int main(void) {
    omp_lock_t turn;
    volatile long sum = 0;
    omp_init_lock(&turn);
    ready();
    #pragma omp parallel num_threads(3)
    for (;;) {
        omp_set_lock(&turn);
        for (int i = 0; i < 100000; i++) sum++;
        omp_unset_lock(&turn);
        #pragma omp critical(other)
        usleep(300);
    }
}
