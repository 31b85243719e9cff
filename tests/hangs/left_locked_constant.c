// The last step leaves its lock taken. The compiler knows which one is the last, and leaves no
// branch: only the source has the way.
// @kind: barrier-in-cycle
// @says: has a way out at left_locked_constant.c:17 on which it does not give back what it takes at
// @also: -O0
#include "hang.h"

static double total;

int main(void) {
    omp_lock_t lock;
    omp_init_lock(&lock);
    ready();
    #pragma omp parallel num_threads(2)
    for (int step = 0; step < 3; step++) {
        omp_set_lock(&lock); // <A>
        if (step == 2) continue; // <B>
        total += step;
        omp_unset_lock(&lock);
    }
    return total > 100;
}
