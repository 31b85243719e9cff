/* lastprivate(conditional:): the value of the sequentially last assignment, on every schedule. */
/* @compilers: gcc — what clang 19 and 22 make of it gives wrong values on their own runtime */
#include "check.h"
#define N 2000

#define LOOP(clause) \
    do { \
        int x = -1; \
        _Pragma(clause) for (int i = 0; i < N; i++) if (i % 7 == 3 && i < N - 100) x = i; \
        int want = -1; \
        for (int i = 0; i < N; i++) \
            if (i % 7 == 3 && i < N - 100) \
                want = i; \
        CHECK_EQ(x, want); \
    } while (0)

int main(void)
{
    check_threads();
    for (int repeat = 0; repeat < 20; repeat++) {
        LOOP("omp parallel for lastprivate(conditional : x)");
        LOOP("omp parallel for lastprivate(conditional : x) schedule(static, 3)");
        LOOP("omp parallel for lastprivate(conditional : x) schedule(dynamic)");
        LOOP("omp parallel for lastprivate(conditional : x) schedule(dynamic, 5)");
        LOOP("omp parallel for lastprivate(conditional : x) schedule(guided)");
        LOOP("omp parallel for lastprivate(conditional : x) schedule(runtime)");
    }
    int y = -1;
#pragma omp parallel sections lastprivate(conditional : y)
    {
#pragma omp section
        y = 1;
#pragma omp section
        y = 2;
#pragma omp section
        ;
    }
    CHECK_EQ(y, 2);
    return check_done();
}
