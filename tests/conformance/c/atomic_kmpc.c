/* The out-of-line atomics of LLVM's and Intel's interface, called by name. */
/* @compilers: clang — they are in that interface only */
#include "check.h"
#include <complex.h>

typedef struct ident ident_t;
extern int __kmpc_global_thread_num(ident_t *);
extern void __kmpc_atomic_fixed1_add(ident_t *, int, char *, char);
extern void __kmpc_atomic_fixed2_orb(ident_t *, int, short *, short);
extern void __kmpc_atomic_fixed4_add(ident_t *, int, int *, int);
extern void __kmpc_atomic_fixed4_xor(ident_t *, int, int *, int);
extern void __kmpc_atomic_fixed4_max(ident_t *, int, int *, int);
extern void __kmpc_atomic_fixed8_sub(ident_t *, int, long long *, long long);
extern long long __kmpc_atomic_fixed8_add_cpt(ident_t *, int, long long *, long long, int);
extern void __kmpc_atomic_float4_add(ident_t *, int, float *, float);
extern void __kmpc_atomic_float8_mul(ident_t *, int, double *, double);
extern void __kmpc_atomic_float8_min(ident_t *, int, double *, double);
extern void __kmpc_atomic_float10_add(ident_t *, int, long double *, long double);
extern int __kmpc_atomic_fixed4_rd(ident_t *, int, int *);
extern void __kmpc_atomic_fixed4_wr(ident_t *, int, int *, int);
extern int __kmpc_atomic_fixed4_swp(ident_t *, int, int *, int);
extern void __kmpc_atomic_start(void);
extern void __kmpc_atomic_end(void);

int main(void)
{
    int n = check_threads();
    char c = 0;
    short s = 0;
    int i = 0, x = 0, most = 0, cell = 7;
    long long l = 0, counter = 0, captured = 0;
    float f = 0;
    double product = 1, least = 1e9;
    long double ten = 0;
    long guarded = 0;
#pragma omp parallel reduction(+ : captured)
    {
        int id = __kmpc_global_thread_num(0), me = omp_get_thread_num();
        for (int r = 0; r < 100; r++) {
            __kmpc_atomic_fixed1_add(0, id, &c, 1);
            __kmpc_atomic_fixed4_add(0, id, &i, 2);
            __kmpc_atomic_fixed4_xor(0, id, &x, 3);
            __kmpc_atomic_fixed4_max(0, id, &most, me * 100 + r);
            __kmpc_atomic_fixed8_sub(0, id, &l, 5);
            captured += __kmpc_atomic_fixed8_add_cpt(0, id, &counter, 1, 1);
            __kmpc_atomic_float4_add(0, id, &f, 1);
            __kmpc_atomic_float8_min(0, id, &least, r - me);
            __kmpc_atomic_float10_add(0, id, &ten, 0.5L);
            __kmpc_atomic_start();
            guarded++;
            __kmpc_atomic_end();
        }
        __kmpc_atomic_fixed2_orb(0, id, &s, (short)(1 << me % 15));
        __kmpc_atomic_float8_mul(0, id, &product, 2);
    }
    long total = 100l * n;
    CHECK_EQ(c, (char)total);
    CHECK_EQ(i, 2 * total);
    CHECK_EQ(x, 0);
    CHECK_EQ(most, (n - 1) * 100 + 99);
    CHECK_EQ(l, -5 * total);
    CHECK_EQ(captured, total * (total + 1) / 2);
    CHECK(f == (float)total);
    CHECK(least == 1.0 - n);
    CHECK(ten == total / 2.0L);
    CHECK_EQ(guarded, total);
    CHECK_EQ(s, n >= 15 ? 0x7fff : (1 << n) - 1);
    CHECK(product == (double)(1 << n));
    int id = __kmpc_global_thread_num(0);
    CHECK_EQ(__kmpc_atomic_fixed4_rd(0, id, &cell), 7);
    __kmpc_atomic_fixed4_wr(0, id, &cell, 8);
    CHECK_EQ(__kmpc_atomic_fixed4_swp(0, id, &cell, 9), 8);
    CHECK_EQ(cell, 9);
    return check_done();
}
