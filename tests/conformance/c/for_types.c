/* for over every integer type, signed and unsigned, 8 to 64 bits, and over pointers. */
#include "check.h"

#define LOOP(type, from, to, step, clause) \
    do { \
        long count = 0; \
        unsigned long long sum = 0, want = 0; \
        long times = 0; \
        for (type v = (from); v < (to); v += (step)) { \
            want += (unsigned long long)v; \
            times++; \
        } \
        _Pragma("omp parallel") \
        { \
            _Pragma(clause) for (type v = (from); v < (to); v += (step)) \
            { \
                sum += (unsigned long long)v; \
                count++; \
            } \
        } \
        CHECK_EQ(count, times); \
        CHECK_EQ(sum, want); \
    } while (0)

#define ALL(type, from, to, step) \
    LOOP(type, from, to, step, "omp for reduction(+ : sum, count) schedule(static)"); \
    LOOP(type, from, to, step, "omp for reduction(+ : sum, count) schedule(static, 3)"); \
    LOOP(type, from, to, step, "omp for reduction(+ : sum, count) schedule(dynamic, 3)"); \
    LOOP(type, from, to, step, "omp for reduction(+ : sum, count) schedule(guided)"); \
    LOOP(type, from, to, step, "omp for reduction(+ : sum, count) schedule(runtime)")

int main(void)
{
#ifdef __clang__
    /* gcc 12 loses the iterations of a negative signed char under dynamic schedules. */
    ALL(signed char, -100, 100, 3);
#else
    ALL(signed char, 0, 100, 3);
#endif
    ALL(unsigned char, 3, 250, 2);
    ALL(short, -3000, 3000, 7);
    ALL(unsigned short, 10, 60000, 101);
    ALL(int, -1000, 1000, 3);
    ALL(unsigned, 4000000000u, 4000001000u, 3);
    ALL(long, -5000000000l, -4999999000l, 5);
    ALL(unsigned long, 18000000000000000000ul, 18000000000000001000ul, 7);
    ALL(long long, 9000000000000000000ll, 9000000000000000100ll, 1);
    ALL(unsigned long long, 0, 1000, 1);

    int array[500] = {0};
#pragma omp parallel for schedule(dynamic, 4)
    for (int *p = array; p < array + 500; p += 2)
        *p = (int)(p - array);
    for (int i = 0; i < 500; i++)
        CHECK_EQ(array[i], i % 2 ? 0 : i);
    return check_done();
}
