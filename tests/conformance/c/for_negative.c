/* for with negative steps. */
#include "check.h"

#define LOOP(type, from, to, step, clause) \
    do { \
        long long sum = 0, want = 0; \
        for (type v = (from); v >= (to); v -= (step)) want += (long long)v * 3 + 1; \
        _Pragma("omp parallel") \
        { \
            _Pragma(clause) for (type v = (from); v >= (to); v -= (step)) sum += \
                (long long)v * 3 + 1; \
        } \
        CHECK_EQ(sum, want); \
    } while (0)

#define ALL(type, from, to, step) \
    LOOP(type, from, to, step, "omp for reduction(+ : sum) schedule(static)"); \
    LOOP(type, from, to, step, "omp for reduction(+ : sum) schedule(static, 5)"); \
    LOOP(type, from, to, step, "omp for reduction(+ : sum) schedule(dynamic)"); \
    LOOP(type, from, to, step, "omp for reduction(+ : sum) schedule(dynamic, 5)"); \
    LOOP(type, from, to, step, "omp for reduction(+ : sum) schedule(guided, 2)"); \
    LOOP(type, from, to, step, "omp for reduction(+ : sum) schedule(runtime)")

int main(void)
{
    ALL(int, 100, -100, 1);
    ALL(int, 100, -100, 7);
    ALL(long, 5000000000l, 4999999000l, 3);
#ifdef __clang__
    /* gcc 12 hands libgomp's 64-bit entry the step zero-extended: no iteration, on any runtime. */
    ALL(unsigned, 1000, 10, 9);
#endif
    ALL(unsigned long long, 18000000000000001000ull, 18000000000000000000ull, 11);
    return check_done();
}
