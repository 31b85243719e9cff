// A lock that is taken and given back on the same condition: no way keeps it. The hang is a circle
// with a critical section.
// @kind: lock-cycle
// @never: has a way out
// @also: -O0
#include "hang.h"

static omp_lock_t totals;
static long sums[4];

static void add(int part, int is_shared) {
    if (is_shared) omp_set_lock(&totals);
    sums[part]++;
    if (part == 1) {
        wait_for_all(2);
        #pragma omp critical(report) // <A>
        sums[3] += sums[part];
    }
    if (is_shared) omp_unset_lock(&totals);
}

static void report(void) {
    #pragma omp critical(report)
    {
        wait_for_all(2);
        omp_set_lock(&totals); // <B>
        sums[2] = sums[0] + sums[1];
        omp_unset_lock(&totals);
    }
}

int main(void) {
    volatile int is_shared = 1;
    omp_init_lock(&totals);
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) add(1, is_shared);
        else report();
    }
    omp_destroy_lock(&totals);
    return (int)sums[2];
}
