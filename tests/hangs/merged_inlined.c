// A compiler makes one tail of two functions that are inlined into one: both lines are named.
// @kind: lock-cycle
// @also: -O2
#include "hang.h"

static omp_lock_t a, b;
static long n;
static void ab(void) {
    omp_set_lock(&a);
    wait_for_all(2);
    omp_set_lock(&b); // <A>
    n++;
    omp_unset_lock(&b);
    omp_unset_lock(&a);
}
static void ba(void) {
    omp_set_lock(&b);
    wait_for_all(2);
    omp_set_lock(&a); // <B>
    n++;
    omp_unset_lock(&a);
    omp_unset_lock(&b);
}
int main(void) {
    omp_init_lock(&a);
    omp_init_lock(&b);
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0)
            ab();
        else
            ba();
    }
    return n == 2;
}
