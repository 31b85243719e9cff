/* scan: inclusive and exclusive prefix sums. */
/* @flags: -lm — clang's code calls log2 and ceil, which it leaves out when it optimises */
#include "check.h"
#define N 1000

int main(void)
{
    static long in[N], inclusive[N], exclusive[N];
    long sum = 0;
    for (int i = 0; i < N; i++)
        in[i] = i * 7 % 13;
#pragma omp parallel for reduction(inscan, + : sum)
    for (int i = 0; i < N; i++) {
        sum += in[i];
#pragma omp scan inclusive(sum)
        inclusive[i] = sum;
    }
    long total = sum;
    sum = 0;
#pragma omp parallel for reduction(inscan, + : sum)
    for (int i = 0; i < N; i++) {
        exclusive[i] = sum;
#pragma omp scan exclusive(sum)
        sum += in[i];
    }
    long run = 0;
    for (int i = 0; i < N; i++) {
        CHECK_EQ(exclusive[i], run);
        run += in[i];
        CHECK_EQ(inclusive[i], run);
    }
    CHECK_EQ(total, run);
    return check_done();
}
