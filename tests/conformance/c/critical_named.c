/* critical with names: each name a lock of its own; one may be entered inside another. */
#include "check.h"

static long a, b, both;

int main(void)
{
    long n = check_threads();
#pragma omp parallel
    for (int i = 0; i < 500; i++) {
#pragma omp critical(first)
        {
            a++;
#pragma omp critical(second)
            {
                b++;
#pragma omp critical
                both++;
            }
        }
#pragma omp critical(second)
        b++;
    }
    CHECK_EQ(a, 500 * n);
    CHECK_EQ(b, 1000 * n);
    CHECK_EQ(both, 500 * n);
    return check_done();
}
