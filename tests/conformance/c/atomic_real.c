/* atomic on float, double and long double, the last out of line. */
/* @flags: -latomic */
#include "check.h"

int main(void)
{
    float f = 0;
    double d = 0, product = 1;
    long double l = 0, left = 1000, quotient = 1;
    int n = check_threads();
#pragma omp parallel
    for (int i = 0; i < 100; i++) {
#pragma omp atomic
        f += 1;
#pragma omp atomic
        d += 0.5;
#pragma omp atomic
        l += 0.25L;
#pragma omp atomic
        left = left - 1;
        if (i == 0) {
#pragma omp atomic
            product *= 2;
#pragma omp atomic
            quotient = 4 / quotient;
        }
    }
    CHECK(f == 100.0f * n);
    CHECK(d == 50.0 * n);
    CHECK(l == 25.0L * n);
    CHECK(left == 1000.0L - 100 * n);
    CHECK(product == (double)(1 << n));
    CHECK(quotient == (n % 2 ? 4.0L : 1.0L));
    return check_done();
}
