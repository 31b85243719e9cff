/* teams distribute, alone and combined with parallel for, over all schedules: every iteration once,
 * lastprivate from the last. */
/* @distrust: clang — libomp cuts leagues short and takes lastprivate from a wrong team then */
#include "check.h"
#define N 1000

static unsigned char seen[N];

static void check(int last)
{
    for (int i = 0; i < N; i++)
        if (seen[i] != 1)
            check_fail(__FILE__, i, "executed once", seen[i], 1);
    memset(seen, 0, sizeof seen);
    CHECK_EQ(last, N - 1);
}

#define LOOP(...) \
    do { \
        int last = -1; \
        _Pragma(#__VA_ARGS__) for (int i = 0; i < N; i++) \
        { \
            _Pragma("omp atomic") seen[i]++; \
            last = i; \
        } \
        check(last); \
    } while (0)

#define DOWN(...) \
    do { \
        long long last = -1; \
        _Pragma(#__VA_ARGS__) for (long long i = 3ll * N - 3; i >= 0; i -= 3) \
        { \
            _Pragma("omp atomic") seen[i / 3]++; \
            last = N - 1 - i / 3; \
        } \
        check((int)last); \
    } while (0)

#define BOTH(...) \
    LOOP(__VA_ARGS__); \
    DOWN(__VA_ARGS__)

int main(void)
{
    BOTH(omp teams distribute num_teams(3) lastprivate(last));
    BOTH(omp teams distribute num_teams(3) lastprivate(last) dist_schedule(static, 7));
    BOTH(omp teams distribute parallel for num_teams(3) lastprivate(last));
    BOTH(omp teams distribute parallel for num_teams(2) lastprivate(last)
         dist_schedule(static, 11));
    BOTH(omp teams distribute parallel for num_teams(2) schedule(static, 3) lastprivate(last));
    BOTH(omp teams distribute parallel for num_teams(2) schedule(dynamic) lastprivate(last));
    BOTH(omp teams distribute parallel for num_teams(2) schedule(guided, 4) lastprivate(last));
    BOTH(omp teams distribute parallel for schedule(dynamic) lastprivate(last)
         dist_schedule(static, 50));
    BOTH(omp teams distribute parallel for simd num_teams(2) schedule(runtime) lastprivate(last));
    BOTH(omp teams distribute simd num_teams(4) dist_schedule(static, 1) lastprivate(last));
    return check_done();
}
