/* reductions on inner constructs, with nowait, many in a row, and on sections. */
#include "check.h"

int main(void)
{
    int n = check_threads();
    long a = 0, b = 0, c = 0, d = 0;
#pragma omp parallel
    {
        for (int r = 0; r < 20; r++) {
#pragma omp for reduction(+ : a, b) nowait
            for (int i = 0; i < 50; i++) {
                a += i;
                b += 1;
            }
        }
#pragma omp barrier
        CHECK_EQ(a, 20 * 1225);
        CHECK_EQ(b, 20 * 50);
#pragma omp sections reduction(+ : c)
        {
#pragma omp section
            c += 5;
#pragma omp section
            c += 6;
        }
        CHECK_EQ(c, 11);
#pragma omp for reduction(+ : d) schedule(guided)
        for (long i = 0; i < 1000; i++)
            d += i;
        CHECK_EQ(d, 499500);
    }
    (void)n;
    return check_done();
}
