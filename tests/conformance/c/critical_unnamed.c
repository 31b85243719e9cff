/* critical: one thread at a time. */
#include "check.h"

int main(void)
{
    int n = check_threads(), inside = 0;
    long count = 0, rounds = 300;
#pragma omp parallel
    for (int i = 0; i < rounds; i++) {
#pragma omp critical
        {
            int now = __atomic_add_fetch(&inside, 1, __ATOMIC_RELAXED);
            CHECK_EQ(now, 1);
            count++;
            __atomic_sub_fetch(&inside, 1, __ATOMIC_RELAXED);
        }
    }
    CHECK_EQ(count, n * rounds);
    return check_done();
}
