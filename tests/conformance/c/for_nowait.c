/* for nowait: many loops in flight at once, no iteration lost. */
#include "check.h"
#define N 64

int main(void)
{
    static int times[60][N];
#pragma omp parallel
    {
        for (int r = 0; r < 60; r += 3) {
#pragma omp for schedule(dynamic) nowait
            for (int i = 0; i < N; i++)
#pragma omp atomic
                times[r][i]++;
#pragma omp for schedule(guided) nowait
            for (int i = 0; i < N; i++)
#pragma omp atomic
                times[r + 1][i]++;
#pragma omp for schedule(dynamic, 3) nowait
            for (long long i = 0; i < N; i++)
#pragma omp atomic
                times[r + 2][i]++;
        }
    }
    for (int r = 0; r < 60; r++)
        for (int i = 0; i < N; i++)
            CHECK_EQ(times[r][i], 1);
    return check_done();
}
