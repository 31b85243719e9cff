/* Dependences between iterations: steps down, unsigned, three loops, all schedules, no barriers. */
/* @threads: 1 2 4 */
#include "check.h"
#define N 300
#define M 10

#define DOWN(clause) \
    do { \
        long v[N + 2] = {0}; \
        v[N + 1] = 1; \
        _Pragma("omp parallel") \
        { \
            _Pragma(clause) for (int i = N; i >= 1; i -= 1) \
            { \
                _Pragma("omp ordered depend(sink : i + 1)") v[i] = v[i + 1] + 1; \
                _Pragma("omp ordered depend(source)") \
            } \
        } \
        CHECK_EQ(v[1], N + 1); \
    } while (0)

static long cube[M + 1][M + 1][M + 1];

int main(void)
{
    check_threads();
    DOWN("omp for ordered(1) schedule(static)");
    DOWN("omp for ordered(1) schedule(static, 3)");
    DOWN("omp for ordered(1) schedule(dynamic, 2)");
    DOWN("omp for ordered(1) schedule(guided, 2)");
    DOWN("omp for ordered(1) schedule(runtime)");
    DOWN("omp for ordered(1)");

    unsigned long long u[N] = {1};
#pragma omp parallel for ordered(1) schedule(dynamic)
    for (unsigned long long i = 2; i < 2 * N; i += 2) {
#pragma omp ordered depend(sink : i - 2)
        u[i / 2] = u[i / 2 - 1] + i;
#pragma omp ordered depend(source)
    }
    CHECK_EQ(u[N - 1], 1 + (unsigned long long)N * (N - 1));

    for (int repeat = 0; repeat < 5; repeat++) {
        memset(cube, 0, sizeof cube);
        cube[0][0][0] = 1;
#pragma omp parallel for ordered(3) schedule(static, 1)
        for (int i = 0; i <= M; i++)
            for (int j = 0; j <= M; j++)
                for (int k = 0; k <= M; k++) {
#pragma omp ordered depend(sink : i - 1, j, k) depend(sink : i, j - 1, k) depend(sink : i, j, k - 1)
                    if (i + j + k > 0)
                        cube[i][j][k] = ((i ? cube[i - 1][j][k] : 0) + (j ? cube[i][j - 1][k] : 0) +
                                         (k ? cube[i][j][k - 1] : 0)) %
                                        1000003;
#pragma omp ordered depend(source)
                }
        long want = 1;
        static long check[M + 1][M + 1][M + 1];
        check[0][0][0] = 1;
        for (int i = 0; i <= M; i++)
            for (int j = 0; j <= M; j++)
                for (int k = 0; k <= M; k++)
                    if (i + j + k > 0)
                        check[i][j][k] =
                            ((i ? check[i - 1][j][k] : 0) + (j ? check[i][j - 1][k] : 0) +
                             (k ? check[i][j][k - 1] : 0)) %
                            1000003;
        want = check[M][M][M];
        CHECK_EQ(cube[M][M][M], want);
    }

    /* Several doacross loops one after the other without a barrier. */
    static long w[20][N + 1];
#pragma omp parallel
    for (int l = 0; l < 20; l++) {
#pragma omp for ordered(1) schedule(dynamic, 1) nowait
        for (int i = 1; i <= N; i++) {
#pragma omp ordered depend(sink : i - 1)
            w[l][i] = w[l][i - 1] + l;
#pragma omp ordered depend(source)
        }
    }
    for (int l = 0; l < 20; l++)
        CHECK_EQ(w[l][N], (long)l * N);
    return check_done();
}
