/* Without OMP_CANCELLATION, cancel does nothing. */
#include "check.h"

int main(void)
{
    int n = check_threads(), count = 0;
    CHECK_EQ(omp_get_cancellation(), 0);
#pragma omp parallel
    {
#pragma omp cancel parallel
#pragma omp atomic
        count++;
#pragma omp for
        for (int i = 0; i < 100; i++) {
#pragma omp cancel for
#pragma omp atomic
            count++;
        }
    }
    CHECK_EQ(count, n + 100);
    return check_done();
}
