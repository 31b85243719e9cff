/* Workers have a stack of their own: 1 MiB of locals in each is no trouble. */
#include "check.h"

static long fill(int seed)
{
    volatile unsigned char big[1 << 20];
    for (int i = 0; i < 1 << 20; i += 64)
        big[i] = (unsigned char)(seed + i / 64);
    long sum = 0;
    for (int i = 0; i < 1 << 20; i += 64)
        sum += big[i];
    return sum;
}

int main(void)
{
    long want = fill(0);
#pragma omp parallel
    CHECK_EQ(fill(256 * omp_get_thread_num()), want);
    return check_done();
}
