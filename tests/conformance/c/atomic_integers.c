/* atomic on every integer width: each operator, no update lost. */
#include "check.h"

#define WIDTH(type) \
    do { \
        type add = 0, sub = 0, xor = 0, or = 0, and = (type)~(type)0, mul = 1, div = 64, shl = 1; \
        _Pragma("omp parallel for") for (int i = 0; i < 100; i++) \
        { \
            _Pragma("omp atomic") add++; \
            _Pragma("omp atomic") sub -= 1; \
            _Pragma("omp atomic") xor ^= 5; \
            _Pragma("omp atomic") or |= (type)(1 << i % 7); \
            _Pragma("omp atomic") and &= (type)~(1 << i % 7); \
            if (i < 6) { \
                _Pragma("omp atomic") mul *= 2; \
                _Pragma("omp atomic") div /= 2; \
                _Pragma("omp atomic") shl <<= 1; \
            } \
        } \
        CHECK_EQ((type)add, (type)100); \
        CHECK_EQ((type)sub, (type)-100); \
        CHECK_EQ(xor, 0); \
        CHECK_EQ(or, 127); \
        CHECK_EQ((type)and, (type)~127); \
        CHECK_EQ(mul, 64); \
        CHECK_EQ(div, 1); \
        CHECK_EQ(shl, 64); \
    } while (0)

int main(void)
{
    WIDTH(signed char);
    WIDTH(unsigned char);
    WIDTH(short);
    WIDTH(unsigned short);
    WIDTH(int);
    WIDTH(unsigned);
    WIDTH(long);
    WIDTH(unsigned long long);
    return check_done();
}
