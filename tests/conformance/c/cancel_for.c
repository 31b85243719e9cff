/* cancel for: the loop stops early, the region goes on. */
/* @env: OMP_CANCELLATION=true */
#include "check.h"

int main(void)
{
    int n = check_threads(), after = 0;
    long count = 0, static_count = 0;
#pragma omp parallel
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 1000000; i++) {
            if (i == 10) {
#pragma omp cancel for
            }
#pragma omp cancellation point for
#pragma omp atomic
            count++;
        }
#pragma omp atomic
        after++;
#pragma omp for schedule(static)
        for (int i = 0; i < 1000; i++) {
#pragma omp cancel for if (i % (1000 / n) == 3)
#pragma omp atomic
            static_count++;
        }
#pragma omp barrier
#pragma omp atomic
        after++;
    }
    CHECK(count < 1000000);
    CHECK(static_count < 1000);
    CHECK_EQ(after, 2 * n);
    return check_done();
}
