/* reduction over arrays and array sections. */
#include "check.h"
#define N 64

int main(void)
{
    int counts[N] = {0};
    double *sums = calloc(N, sizeof *sums);
    int grid[4][5] = {{0}};
#pragma omp parallel for reduction(+ : counts) reduction(+ : sums[0 : N]) reduction(max : grid)
    for (int i = 0; i < 1000; i++) {
        counts[i % N]++;
        sums[i * 7 % N] += 0.5;
        grid[i % 4][i % 5] = i;
    }
    int total = 0;
    double real = 0;
    for (int i = 0; i < N; i++) {
        CHECK_EQ(counts[i], 1000 / N + (i < 1000 % N));
        total += counts[i];
        real += sums[i];
    }
    CHECK_EQ(total, 1000);
    CHECK(real == 500);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 5; j++)
            CHECK(grid[i][j] >= 980 && grid[i][j] < 1000);
    int part[10] = {0};
#pragma omp parallel for reduction(+ : part[2 : 5])
    for (int i = 0; i < 50; i++)
        part[2 + i % 5]++;
    for (int i = 0; i < 10; i++)
        CHECK_EQ(part[i], i >= 2 && i < 7 ? 10 : 0);
    free(sums);
    return check_done();
}
