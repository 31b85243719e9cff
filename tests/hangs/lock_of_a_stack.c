// Two locks that are variables of main: each thread wants the one that the other one holds.
// @kind: lock-cycle
// @debuggers
// @says: 'pair.second' of main
#include "hang.h"

int main(void) {
    struct { volatile long other; omp_lock_t first, second; } pair;
    ready();
    omp_init_lock(&pair.first);
    omp_init_lock(&pair.second);
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) omp_set_lock(&pair.first);
        if (omp_get_thread_num() == 1) omp_set_lock(&pair.second);
        #pragma omp barrier
        if (omp_get_thread_num() == 0) {
            pair.other++;
            omp_set_lock(&pair.second); // <A>
        } else {
            omp_set_lock(&pair.first); // <B>
            pair.other--;
        }
    }
    return (int)pair.other;
}
