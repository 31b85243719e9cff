// Two threads take two locks in opposite order.
// @kind: lock-cycle
#include "hang.h"

static omp_lock_t first, second;

int main(void) {
    omp_init_lock(&first);
    omp_init_lock(&second);
    ready();
    #pragma omp parallel num_threads(2)
    {
        int me = omp_get_thread_num();
        omp_set_lock(me ? &second : &first);
        #pragma omp barrier
        if (me)
            omp_set_lock(&first); // <A>
        else
            omp_set_lock(&second); // <B>
        omp_unset_lock(&first);
        omp_unset_lock(&second);
    }
    return 0;
}
