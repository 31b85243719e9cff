/* Dependences between iterations of nests: four loops, steps up and down, strides, 32 and 64 bits,
 * sinks outside of the nest. */
/* @threads: 1 2 4 */
#include "check.h"
#define A 12
#define B 9

static long grid[A + 2][B + 2];

static long reference(int i, int j)
{
    static long known[A + 2][B + 2];
    if (i < 1 || j < 1)
        return i == 0 && j == 0;
    if (!known[i][j])
        known[i][j] = (reference(i - 1, j) + reference(i, j - 1) + i * j) % 1000003 + 1;
    return known[i][j];
}

static void step(int i, int j)
{
    grid[i][j] = (grid[i - 1][j] + grid[i][j - 1] + i * j) % 1000003 + 1;
}

static void begin(void)
{
    memset(grid, 0, sizeof grid);
    grid[0][0] = 1;
}

static void check(const char *what)
{
    for (int i = 1; i <= A; i++)
        for (int j = 1; j <= B; j++)
            if (grid[i][j] != reference(i, j))
                check_fail(what, i * 100 + j, "grid", grid[i][j], reference(i, j));
}

#define PRAGMA(text) _Pragma(#text)

/* bi, bj: the way back to the iteration before, in each loop. */
#define NEST(clause, ti, tj, fi, testi, si, bi, fj, testj, sj, bj, i_of, j_of) \
    do { \
        begin(); \
        _Pragma("omp parallel") \
        { \
            _Pragma(clause) for (ti x = (fi); x testi; x += (si)) for (tj y = (fj); y testj; \
                                                                       y += (sj)) \
            { \
                PRAGMA(omp ordered depend(sink : x bi, y) depend(sink : x, y bj)) \
                step(i_of, j_of); \
                _Pragma("omp ordered depend(source)") \
            } \
        } \
        check(#ti " " #tj); \
    } while (0)

#define KINDS(...) \
    NEST("omp for ordered(2) schedule(static)", __VA_ARGS__); \
    NEST("omp for ordered(2) schedule(static, 1)", __VA_ARGS__); \
    NEST("omp for ordered(2) schedule(dynamic)", __VA_ARGS__); \
    NEST("omp for ordered(2) schedule(dynamic, 3)", __VA_ARGS__); \
    NEST("omp for ordered(2) schedule(guided)", __VA_ARGS__); \
    NEST("omp for ordered(2) schedule(runtime)", __VA_ARGS__)

int main(void)
{
    check_threads();
    KINDS(int, int, 1, <= A, 1, - 1, 1, <= B, 1, - 1, x, y);
    KINDS(int, int, A, >= 1, -1, + 1, 1, <= B, 1, - 1, A + 1 - x, y);
    KINDS(int, long long, 10, <= 10 * A, 10, - 10, 7 * B, >= 7, -7, + 7, x / 10, B + 1 - y / 7);
    KINDS(long long, long long, LLONG_MAX - A, < LLONG_MAX, 1, - 1, LLONG_MIN + B, > LLONG_MIN, -1,
          + 1, A + 1 - (int)(LLONG_MAX - x), B + 1 - (int)(y - LLONG_MIN));
    KINDS(unsigned long long, int, ULLONG_MAX - A, < ULLONG_MAX, 1, - 1, -1, >= -B, -1, + 1,
          A + 1 - (int)(ULLONG_MAX - x), -y);

    /* Four loops: each iteration after its neighbours in all four. */
    static int done[5][4][3][6];
    int early = 0;
    for (int repeat = 0; repeat < 3; repeat++) {
        memset(done, 0, sizeof done);
#pragma omp parallel for ordered(4) schedule(dynamic, 1) reduction(+ : early)
        for (int a = 0; a < 5; a++)
            for (int b = 0; b < 4; b++)
                for (int c = 0; c < 3; c++)
                    for (int d = 0; d < 6; d += 1) {
#pragma omp ordered depend(sink : a - 1, b, c, d) depend(sink : a, b - 1, c, d) \
    depend(sink : a, b, c - 1, d)
                        early += a > 0 && !done[a - 1][b][c][d];
                        early += b > 0 && !done[a][b - 1][c][d];
                        early += c > 0 && !done[a][b][c - 1][d];
                        __atomic_store_n(&done[a][b][c][d], 1, __ATOMIC_RELEASE);
#pragma omp ordered depend(source)
                    }
    }
    CHECK_EQ(early, 0);
    return check_done();
}
