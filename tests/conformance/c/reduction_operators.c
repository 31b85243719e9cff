/* reduction with every operator, on integers and reals. */
/* @flags: -latomic */
#include "check.h"

/* OpenMP 6.0 has no operator - any more: it always meant +. */
#if _OPENMP >= 202411
#define MINUS +
#else
#define MINUS -
#endif

int main(void)
{
    int n = check_threads();
    int add = 3, sub = 100, and = -1, or = 0, xor = 0, land = 1, lor = 0, low = 5000, high = -5000;
    long long mul = 1;
    double real = 0.5, least = 1e9, most = -1e9, product = 1;
    float single = 0;
    long double wide = 0;
    unsigned char small = 0;
#pragma omp parallel for reduction(+ : add, real, single, wide, small) reduction(MINUS : sub) \
    reduction(& : and) reduction(| : or) reduction(^ : xor) reduction(&& : land) \
    reduction(|| : lor) reduction(min : low, least) reduction(max : high, most) \
    reduction(* : mul, product)
    for (int i = 0; i < 100; i++) {
        add += i;
        sub -= 1;
        and &= ~(1 << i % 20);
        or |= 1 << i % 10;
        xor ^= i;
        land = land && i < 99;
        lor = lor || i == 57;
        low = i * 13 % 101 < low ? i * 13 % 101 : low;
        high = i * 13 % 101 > high ? i * 13 % 101 : high;
        least = least < i / 4.0 ? least : i / 4.0;
        most = most > i / 4.0 ? most : i / 4.0;
        real += 0.5;
        single += 1;
        wide += 0.25L;
        small += 3;
        if (i < 40)
            mul *= 2;
        if (i < 10)
            product *= 0.5;
    }
    CHECK_EQ(add, 4953);
    CHECK_EQ(sub, 0);
    CHECK_EQ(and, -1 & ~0xfffff);
    CHECK_EQ(or, 1023);
    CHECK_EQ(xor, 0);
    CHECK_EQ(land, 0);
    CHECK_EQ(lor, 1);
    CHECK_EQ(low, 0);
    CHECK_EQ(high, 100);
    CHECK(least == 0);
    CHECK(most == 24.75);
    CHECK(real == 50.5);
    CHECK(single == 100);
    CHECK(wide == 25);
    CHECK_EQ(small, 300 % 256);
    CHECK_EQ(mul, 1ll << 40);
    CHECK(product == 1.0 / 1024);
    int team = 0;
#pragma omp parallel reduction(+ : team)
    team += omp_get_thread_num() + 1;
    CHECK_EQ(team, n * (n + 1) / 2);
    return check_done();
}
