/* taskloop: every iteration once, done when the construct ends. */
#include "check.h"
#define N 1000

int main(void)
{
    static int times[N];
    int last = -1;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop lastprivate(last)
        for (int i = 0; i < N; i++) {
#pragma omp atomic
            times[i]++;
            last = i;
        }
        int wrong = 0;
        for (int i = 0; i < N; i++)
            wrong += times[i] != 1;
        CHECK_EQ(wrong, 0);
        CHECK_EQ(last, N - 1);
    }
    return check_done();
}
