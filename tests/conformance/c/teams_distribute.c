/* teams distribute, with and without parallel for: every iteration once. */
#include "check.h"
#define N 1000

int main(void)
{
    static int a[N], b[N], c[N];
    long sum = 0;
#pragma omp teams distribute num_teams(3)
    for (int i = 0; i < N; i++)
        a[i]++;
#pragma omp teams distribute parallel for num_teams(2) schedule(dynamic, 4)
    for (int i = 0; i < N; i++)
        b[i]++;
#pragma omp teams distribute parallel for collapse(2) dist_schedule(static, 16) reduction(+ : sum)
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 25; j++) {
#pragma omp atomic
            c[i * 25 + j]++;
            sum += i * 25 + j;
        }
    for (int i = 0; i < N; i++) {
        CHECK_EQ(a[i], 1);
        CHECK_EQ(b[i], 1);
        CHECK_EQ(c[i], 1);
    }
    CHECK_EQ(sum, N * (N - 1l) / 2);
    return check_done();
}
