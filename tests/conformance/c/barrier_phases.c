/* barrier: no thread passes before all have come, phase after phase. */
#include "check.h"

int main(void)
{
    int n = check_threads(), phases = n > 2 ? 200 : 2000, arrived = 0;
#pragma omp parallel
    for (int p = 1; p <= phases; p++) {
        __atomic_add_fetch(&arrived, 1, __ATOMIC_RELAXED);
#pragma omp barrier
        CHECK(__atomic_load_n(&arrived, __ATOMIC_RELAXED) == p * n);
#pragma omp barrier
    }
    CHECK_EQ(arrived, phases * n);
    return check_done();
}
