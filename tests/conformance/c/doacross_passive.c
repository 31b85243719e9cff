/* Iterations that wait for those of other threads, where waiting threads sleep at once: no wake-up
 * is lost, and the order holds for each schedule.
 * @env: OMP_WAIT_POLICY=passive
 */
#include "check.h"
#include <omp.h>

enum { N = 200, M = 8 };
static int a[N], b[N / 10][M];

int main(void)
{
#pragma omp parallel
    {
#pragma omp for ordered(1) schedule(static, 1)
        for (int i = 0; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
            a[i] = i ? a[i - 1] + 1 : 1;
#pragma omp ordered depend(source)
        }
#pragma omp for ordered(1) schedule(static)
        for (int i = 0; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
            a[i] += i ? a[i - 1] : 0;
#pragma omp ordered depend(source)
        }
#pragma omp for ordered(1) schedule(dynamic, 3)
        for (int i = N - 1; i >= 0; i--) {
#pragma omp ordered depend(sink : i + 1)
            a[i] += i < N - 1 ? a[i + 1] % 7 : 0;
#pragma omp ordered depend(source)
        }
#pragma omp for ordered(2) schedule(static)
        for (int i = 0; i < N / 10; i++)
            for (int j = 0; j < M; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
                b[i][j] = i && j ? b[i - 1][j] + b[i][j - 1] : 1;
#pragma omp ordered depend(source)
            }
    }
    static int once[N], twice[N];
    for (int i = 0; i < N; i++)
        once[i] = i + 1;
    for (int i = 0; i < N; i++)
        twice[i] = once[i] + (i ? twice[i - 1] : 0);
    for (int i = N - 2; i >= 0; i--)
        twice[i] += twice[i + 1] % 7;
    for (int i = 0; i < N; i++)
        CHECK_EQ(a[i], twice[i]);
    static int paths[N / 10][M];
    for (int i = 0; i < N / 10; i++)
        for (int j = 0; j < M; j++)
            paths[i][j] = i && j ? paths[i - 1][j] + paths[i][j - 1] : 1;
    for (int i = 0; i < N / 10; i++)
        for (int j = 0; j < M; j++)
            CHECK_EQ(b[i][j], paths[i][j]);
    return check_done();
}
