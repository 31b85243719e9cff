/* task depend: a wavefront over a grid of addresses. */
#include "check.h"
#define N 16

int main(void)
{
    static long grid[N + 1][N + 1];
    for (int i = 0; i <= N; i++)
        grid[0][i] = grid[i][0] = 1;
#pragma omp parallel
#pragma omp single
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= N; j++) {
#pragma omp task depend(in : grid[i - 1][j], grid[i][j - 1]) depend(out : grid[i][j]) \
    firstprivate(i, j)
            grid[i][j] = grid[i - 1][j] + grid[i][j - 1];
        }
    static long want[N + 1][N + 1];
    for (int i = 0; i <= N; i++)
        want[0][i] = want[i][0] = 1;
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= N; j++)
            want[i][j] = want[i - 1][j] + want[i][j - 1];
    CHECK_EQ(memcmp(grid, want, sizeof grid), 0);
    return check_done();
}
