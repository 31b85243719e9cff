/* Cross-iteration dependences: ordered(1) and ordered(2) with sink and source. */
/* @threads: 1 2 4 */
#include "check.h"
#define N 200
#define M 24

#define LINE(clause) \
    do { \
        long v[N + 1] = {1}; \
        _Pragma("omp parallel") \
        { \
            _Pragma(clause) for (int i = 1; i <= N; i++) \
            { \
                _Pragma("omp ordered depend(sink : i - 1)") v[i] = v[i - 1] + i; \
                _Pragma("omp ordered depend(source)") \
            } \
        } \
        CHECK_EQ(v[N], 1 + N * (N + 1) / 2); \
    } while (0)

int main(void)
{
    LINE("omp for ordered(1) schedule(static)");
    LINE("omp for ordered(1) schedule(static, 1)");
    LINE("omp for ordered(1) schedule(dynamic, 1)");
    LINE("omp for ordered(1) schedule(guided)");
    static long grid[M + 1][M + 1], want[M + 1][M + 1];
    for (int i = 0; i <= M; i++)
        grid[0][i] = grid[i][0] = want[0][i] = want[i][0] = i;
#pragma omp parallel for ordered(2) schedule(static, 1)
    for (int i = 1; i <= M; i++)
        for (int j = 1; j <= M; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
            grid[i][j] = (grid[i - 1][j] + grid[i][j - 1]) % 1000007;
#pragma omp ordered depend(source)
        }
    for (int i = 1; i <= M; i++)
        for (int j = 1; j <= M; j++)
            want[i][j] = (want[i - 1][j] + want[i][j - 1]) % 1000007;
    CHECK_EQ(memcmp(grid, want, sizeof grid), 0);
    return check_done();
}
