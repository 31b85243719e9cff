/* critical with a hint: still a critical. */
#include "check.h"

int main(void)
{
    long n = check_threads(), x = 0, y = 0, z = 0;
#pragma omp parallel
    for (int i = 0; i < 500; i++) {
#pragma omp critical(contended) hint(omp_sync_hint_contended)
        x++;
#pragma omp critical(uncontended) hint(omp_sync_hint_uncontended | omp_sync_hint_nonspeculative)
        y++;
#pragma omp critical(speculative) hint(omp_sync_hint_speculative)
        z++;
    }
    CHECK_EQ(x, 500 * n);
    CHECK_EQ(y, 500 * n);
    CHECK_EQ(z, 500 * n);
    return check_done();
}
