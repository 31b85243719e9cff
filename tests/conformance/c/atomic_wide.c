/* The out-of-line atomics on long double and complex numbers, mixed types, and of given sizes. */
/* @compilers: clang — they are in that interface only */
/* @flags: -lm */
/* @distrust: clang — LLVM 19's queuing lock for wide atomics fails its own assertions now and
 *   then */
#include "check.h"
#include <complex.h>

typedef void combine_t(void *, void *, void *);
extern void __kmpc_atomic_float10_mul(void *, int, long double *, long double);
extern long double __kmpc_atomic_float10_add_cpt(void *, int, long double *, long double, int);
extern long double __kmpc_atomic_float10_sub_cpt_rev(void *, int, long double *, long double, int);
extern long double __kmpc_atomic_float10_rd(void *, int, long double *);
extern long double __kmpc_atomic_float10_swp(void *, int, long double *, long double);
extern void __kmpc_atomic_float10_max(void *, int, long double *, long double);
extern void __kmpc_atomic_cmplx4_add(void *, int, float _Complex *, float _Complex);
extern void __kmpc_atomic_cmplx4_add_cpt(void *, int, float _Complex *, float _Complex,
                                         float _Complex *, int);
extern void __kmpc_atomic_cmplx4_mul_cmplx8(void *, int, float _Complex *, double _Complex);
extern void __kmpc_atomic_cmplx8_add(void *, int, double _Complex *, double _Complex);
extern double _Complex __kmpc_atomic_cmplx8_div_cpt(void *, int, double _Complex *,
                                                    double _Complex, int);
extern void __kmpc_atomic_cmplx10_add(void *, int, long double _Complex *, long double _Complex);
extern long double _Complex __kmpc_atomic_cmplx10_mul_cpt(void *, int, long double _Complex *,
                                                          long double _Complex, int);
extern long double _Complex __kmpc_atomic_cmplx10_rd(void *, int, long double _Complex *);
extern void __kmpc_atomic_float4_add_float8(void *, int, float *, double);
extern void __kmpc_atomic_fixed4_mul_float8(void *, int, int *, double);
extern int __kmpc_atomic_bool_4_cas(void *, int, int *, int, int);
extern long long __kmpc_atomic_val_8_cas(void *, int, long long *, long long, long long);
extern short __kmpc_atomic_val_2_cas_cpt(void *, int, short *, short, short, short *);
extern void __kmpc_atomic_4(void *, int, void *, void *, combine_t *);
extern void __kmpc_atomic_16(void *, int, void *, void *, combine_t *);
extern unsigned char __kmpc_atomic_fixed1u_shr_cpt(void *, int, unsigned char *, unsigned char,
                                                   int);
extern signed char __kmpc_atomic_fixed1_shr_cpt(void *, int, signed char *, signed char, int);

struct pair {
    long sum, count;
};

static void add_int(void *out, void *x, void *v)
{
    *(int *)out = *(int *)x + *(int *)v;
}

static void add_pair(void *out, void *x, void *v)
{
    struct pair a = *(struct pair *)x;
    a.sum += *(long *)v;
    a.count++;
    *(struct pair *)out = a;
}

int main(void)
{
    int n = check_threads(), sized = 0, wins = 0, flag = 0;
    long double ten = 0, product = 1, most = -1, captured = 0;
    float _Complex four = 0;
    double _Complex eight = 0;
    long double _Complex wide = 0;
    struct pair pair = {0, 0};
    /* A variable that lies across two cache lines, as packed data does. */
    static char lines[256] __attribute__((aligned(128)));
    float _Complex *split = (float _Complex *)(lines + 124);
    float four_bytes = 0;
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        for (int i = 0; i < 200; i++) {
            long double seen = __kmpc_atomic_float10_add_cpt(0, 0, &ten, 1, 0);
#pragma omp critical
            captured += seen;
            __kmpc_atomic_float10_max(0, 0, &most, me * 1000 + i);
            __kmpc_atomic_cmplx4_add(0, 0, &four, 1 - 2 * I);
            __kmpc_atomic_cmplx4_add(0, 0, split, 1 + I);
            __kmpc_atomic_cmplx8_add(0, 0, &eight, 1 + 0.5 * I);
            __kmpc_atomic_cmplx10_add(0, 0, &wide, -1 + 3 * I);
            __kmpc_atomic_float4_add_float8(0, 0, &four_bytes, 0.5);
            int one = 1;
            long two = 2;
            __kmpc_atomic_4(0, 0, &sized, &one, add_int);
            __kmpc_atomic_16(0, 0, &pair, &two, add_pair);
        }
        __kmpc_atomic_float10_mul(0, 0, &product, 2);
        if (__kmpc_atomic_bool_4_cas(0, 0, &flag, 0, me + 1))
#pragma omp atomic
            wins++;
    }
    long total = 200l * n;
    CHECK(ten == total);
    CHECK(captured == total * (total - 1) / 2.0L);
    CHECK(most == (n - 1) * 1000 + 199);
    CHECK(four == total * (1 - 2 * I));
    CHECK(*split == total * (1 + I));
    CHECK(eight == total * (1 + 0.5 * I));
    CHECK(wide == total * (-1 + 3 * I));
    CHECK(four_bytes == total / 2.0f);
    CHECK_EQ(sized, total);
    CHECK_EQ(pair.sum, 2 * total);
    CHECK_EQ(pair.count, total);
    CHECK(product == (long double)(1 << n));
    CHECK_EQ(wins, 1);

    ten = 8;
    CHECK(__kmpc_atomic_float10_sub_cpt_rev(0, 0, &ten, 3, 1) == -5 && ten == -5);
    CHECK(__kmpc_atomic_float10_swp(0, 0, &ten, 0.1L) == -5);
    CHECK(__kmpc_atomic_float10_rd(0, 0, &ten) == 0.1L);
    float _Complex out = 0;
    four = 1 + I;
    __kmpc_atomic_cmplx4_add_cpt(0, 0, &four, 2, &out, 0);
    CHECK(out == 1 + I && four == 3 + I);
    __kmpc_atomic_cmplx4_mul_cmplx8(0, 0, &four, 2 * I);
    CHECK(four == -2 + 6 * I);
    eight = 5 + 5 * I;
    /* Not every runtime's division is exact. */
    CHECK(cabs(__kmpc_atomic_cmplx8_div_cpt(0, 0, &eight, 3 - I, 1) - (1 + 2 * I)) < 1e-15);
    wide = 1 + 2 * I;
    CHECK(__kmpc_atomic_cmplx10_mul_cpt(0, 0, &wide, 3 - I, 1) == 5 + 5 * I);
    CHECK(__kmpc_atomic_cmplx10_rd(0, 0, &wide) == 5 + 5 * I);
    int integer = 7;
    __kmpc_atomic_fixed4_mul_float8(0, 0, &integer, 1.5);
    CHECK_EQ(integer, 10);
    long long big = 5;
    CHECK_EQ(__kmpc_atomic_val_8_cas(0, 0, &big, 4, 6), 5);
    CHECK_EQ(__kmpc_atomic_val_8_cas(0, 0, &big, 5, 6), 5);
    CHECK_EQ(big, 6);
    short small = 3, now = 0;
    CHECK_EQ(__kmpc_atomic_val_2_cas_cpt(0, 0, &small, 3, 9, &now), 3);
    CHECK_EQ(now, 9);
    unsigned char byte = 0x90;
    signed char negative = -112;
    CHECK_EQ(__kmpc_atomic_fixed1u_shr_cpt(0, 0, &byte, 4, 1), 9);
    CHECK_EQ(__kmpc_atomic_fixed1_shr_cpt(0, 0, &negative, 4, 1), -7);
    return check_done();
}
