// Two threads take two locks in opposite order.
// @kind: lock-cycle
// @says: thread 0 and thread 1 wait for each other
#include "hang.h"

static omp_lock_t first, second;

static void __attribute__((noinline)) take_first(void) {
    omp_set_lock(&first); // <A>
    puts("first");
}

static void __attribute__((noinline)) take_second(void) {
    omp_set_lock(&second); // <B>
    puts("second");
}

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
            take_first();
        else
            take_second();
        omp_unset_lock(&first);
        omp_unset_lock(&second);
    }
    return 0;
}
