// Two nest locks, each held twice, in opposite order.
// @kind: lock-cycle
#include "hang.h"

static omp_nest_lock_t left, right;

static void __attribute__((noinline)) take_left(void) {
    omp_set_nest_lock(&left); // <A>
    puts("left");
}

static void __attribute__((noinline)) take_right(void) {
    omp_set_nest_lock(&right); // <B>
    puts("right");
}

int main(void) {
    omp_init_nest_lock(&left);
    omp_init_nest_lock(&right);
    ready();
    #pragma omp parallel num_threads(2)
    {
        omp_nest_lock_t *mine = omp_get_thread_num() ? &right : &left;
        omp_set_nest_lock(mine);
        omp_set_nest_lock(mine);
        #pragma omp barrier
        if (omp_get_thread_num())
            take_left();
        else
            take_right();
        omp_unset_nest_lock(mine);
    }
    return 0;
}
