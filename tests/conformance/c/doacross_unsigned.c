/* doacross over counters of every width, signed and unsigned: each iteration sees the ones before
 * it.
 * @distrust: gcc — GCC 12 passes libgomp 2^width - 1 for a distance of -1 of an unsigned counter */
#include "check.h"
#define N 40

static long got[N + 1][N + 1], want[N + 1][N + 1];

static void fill(long (*to)[N + 1])
{
    for (int i = 0; i <= N; i++)
        for (int j = 0; j <= N; j++)
            to[i][j] = (i == 0 || j == 0) ? i + j : 0;
}

static void compare(void)
{
    for (int i = 0; i <= N; i++)
        for (int j = 0; j <= N; j++)
            CHECK_EQ(got[i][j], want[i][j]);
}

#define NEST(type, clause) \
    do { \
        fill(got); \
        _Pragma("omp parallel") \
        { \
            _Pragma(clause) for (type i = 1; i <= N; i++) for (type j = 1; j <= N; j++) \
            { \
                _Pragma("omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)") \
                got[i][j] = (got[i - 1][j] + got[i][j - 1] + i) % 1000003; \
                _Pragma("omp ordered depend(source)") \
            } \
        } \
        compare(); \
    } while (0)

#define ALL(type) \
    NEST(type, "omp for ordered(2)"); \
    NEST(type, "omp for ordered(2) schedule(static, 3)"); \
    NEST(type, "omp for ordered(2) schedule(dynamic)"); \
    NEST(type, "omp for ordered(2) schedule(guided, 2)")

int main(void)
{
    fill(want);
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= N; j++)
            want[i][j] = (want[i - 1][j] + want[i][j - 1] + i) % 1000003;
    ALL(unsigned char);
    ALL(short);
    ALL(unsigned short);
    ALL(int);
    ALL(unsigned);
    ALL(long);
    ALL(unsigned long);
    return check_done();
}
