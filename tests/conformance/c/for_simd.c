/* for simd and simd with reductions. */
#include "check.h"
#define N 1000

int main(void)
{
    float a[N], b[N];
    double sum = 0;
    for (int i = 0; i < N; i++) {
        a[i] = (float)i;
        b[i] = 2;
    }
#pragma omp parallel for simd reduction(+ : sum) schedule(static, 8)
    for (int i = 0; i < N; i++)
        sum += a[i] * b[i];
    CHECK_EQ(sum, 999000);
#pragma omp parallel
    {
#pragma omp for simd
        for (int i = 0; i < N; i++)
            a[i] += b[i];
    }
    for (int i = 0; i < N; i++)
        CHECK_EQ(a[i], i + 2);
    return check_done();
}
