/* for at the ends of the types' ranges: no iteration is lost to overflow. */
#include "check.h"

#define LOOP(type, first, test, step, want, clause) \
    do { \
        long count = 0; \
        _Pragma("omp parallel") \
        { \
            _Pragma(clause) for (type v = (first); v test; v += (step)) count++; \
        } \
        CHECK_EQ(count, want); \
    } while (0)

#define ALL(type, first, test, step, want) \
    LOOP(type, first, test, step, want, "omp for reduction(+ : count) schedule(static)"); \
    LOOP(type, first, test, step, want, "omp for reduction(+ : count) schedule(dynamic, 1)"); \
    LOOP(type, first, test, step, want, "omp for reduction(+ : count) schedule(dynamic, 100)"); \
    LOOP(type, first, test, step, want, "omp for reduction(+ : count) schedule(guided)"); \
    LOOP(type, first, test, step, want, "omp for reduction(+ : count) schedule(guided, 9)")

int main(void)
{
    ALL(int, INT_MAX - 10, < INT_MAX, 1, 10);
    ALL(int, INT_MAX - 10, < INT_MAX - 2, 4, 2);
    ALL(int, INT_MIN, < INT_MIN + 10, 1, 10);
    ALL(unsigned, UINT_MAX - 10, < UINT_MAX, 1, 10);
    ALL(unsigned, 0, < UINT_MAX - (1u << 30), 1u << 30, 3);
    ALL(long long, LLONG_MAX - 10, < LLONG_MAX - 3, 3, 3);
    ALL(long long, LLONG_MIN, < LLONG_MIN + 20, 7, 3);
    ALL(unsigned long long, ULLONG_MAX - 10, < ULLONG_MAX, 1, 10);
    ALL(unsigned long long, ULLONG_MAX - 100100, < ULLONG_MAX - 100001, 33, 3);
    return check_done();
}
