/* for with no iteration at all: nothing runs and the barrier still works. */
#include "check.h"

#define LOOP(type, from, to, clause) \
    do { \
        int count = 0; \
        _Pragma("omp parallel") \
        { \
            _Pragma(clause) for (type v = a##from; v < b##to; v++) \
            { \
                _Pragma("omp atomic") count++; \
            } \
            CHECK_EQ(count, 0); \
        } \
    } while (0)

int main(void)
{
    volatile int ai = 10, bi = 10, bless = -5;
    volatile unsigned au = 4000000000u, bu = 1u;
    volatile long long al = 1ll << 40, bl = 0;
    volatile unsigned long long aull = 1ull << 63, bull = 5;
    LOOP(int, i, i, "omp for schedule(static)");
    LOOP(int, i, less, "omp for schedule(static, 2)");
    LOOP(int, i, less, "omp for schedule(dynamic)");
    LOOP(int, i, i, "omp for schedule(guided)");
    LOOP(int, i, less, "omp for schedule(runtime)");
    LOOP(unsigned, u, u, "omp for schedule(dynamic, 4)");
    LOOP(unsigned, u, u, "omp for schedule(guided)");
    LOOP(long long, l, l, "omp for schedule(dynamic)");
    LOOP(unsigned long long, ull, ull, "omp for schedule(dynamic)");
    LOOP(unsigned long long, ull, ull, "omp for schedule(guided)");
    LOOP(unsigned long long, ull, ull, "omp for schedule(static)");

    int count = 0;
#pragma omp parallel
    {
#pragma omp for ordered schedule(dynamic)
        for (int i = bi; i < ai; i++) {
#pragma omp ordered
            count++;
        }
    }
    CHECK_EQ(count, 0);
    return check_done();
}
