/* for ordered, under every schedule: the ordered parts run in the order of the iterations. */
#include "check.h"
#define N 200

#define LOOP(clause) \
    do { \
        int next = 0, outside = 0; \
        _Pragma("omp parallel") \
        { \
            _Pragma(clause) for (int i = 0; i < N; i++) \
            { \
                _Pragma("omp atomic") outside++; \
                _Pragma("omp ordered") \
                { \
                    CHECK_EQ(next, i); \
                    next = i + 1; \
                } \
            } \
        } \
        CHECK_EQ(next, N); \
        CHECK_EQ(outside, N); \
    } while (0)

int main(void)
{
    LOOP("omp for ordered schedule(static)");
    LOOP("omp for ordered schedule(static, 1)");
    LOOP("omp for ordered schedule(static, 7)");
    LOOP("omp for ordered schedule(dynamic)");
    LOOP("omp for ordered schedule(dynamic, 3)");
    LOOP("omp for ordered schedule(guided)");
    LOOP("omp for ordered schedule(runtime)");
    LOOP("omp for ordered schedule(auto)");
    return check_done();
}
