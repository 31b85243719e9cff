/* for schedule(auto): every iteration once. */
#include "check.h"
#define N 999

int main(void)
{
    int times[N] = {0};
#pragma omp parallel for schedule(auto)
    for (int i = 0; i < N; i++)
#pragma omp atomic
        times[i]++;
    for (int i = 0; i < N; i++)
        CHECK_EQ(times[i], 1);
    return check_done();
}
