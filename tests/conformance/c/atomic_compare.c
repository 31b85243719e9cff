/* atomic compare: minimum, maximum and compare-and-swap. */
/* @compilers: gcc clang */
#include "check.h"

int main(void)
{
    int low = INT_MAX, high = INT_MIN, won = 0, flag = 0;
#pragma omp parallel for
    for (int i = 0; i < 500; i++) {
        int value = (i * 7919) % 501;
#pragma omp atomic compare
        if (value < low) { low = value; }
#pragma omp atomic compare
        high = high < value ? value : high;
    }
    int low_want = INT_MAX, high_want = INT_MIN;
    for (int i = 0; i < 500; i++) {
        int value = (i * 7919) % 501;
        low_want = value < low_want ? value : low_want;
        high_want = value > high_want ? value : high_want;
    }
    CHECK_EQ(low, low_want);
    CHECK_EQ(high, high_want);
#pragma omp parallel
    {
        int before;
#pragma omp atomic compare capture
        { before = flag; if (flag == 0) { flag = 1; } }
        if (before == 0)
#pragma omp atomic
            won++;
    }
    CHECK_EQ(won, 1);
    return check_done();
}
