/* The bounds of flang's loops without iterations: from 0 to -1 in a type without a sign, of which
 * a program makes as many iterations as lie between the bounds, and one. */
/* @compilers: clang — the entry points are in that interface only */
#include "check.h"
#include <stdint.h>

typedef struct ident ident_t;
extern int __kmpc_global_thread_num(ident_t *);
extern void __kmpc_for_static_init_4u(ident_t *, int, int, int *, uint32_t *, uint32_t *, int32_t *,
                                      int32_t, int32_t);
extern void __kmpc_for_static_init_8u(ident_t *, int, int, int *, uint64_t *, uint64_t *, int64_t *,
                                      int64_t, int64_t);
extern void __kmpc_for_static_fini(ident_t *, int);

int main(void)
{
    long iterations = 0;
#pragma omp parallel reduction(+ : iterations)
    {
        int self = __kmpc_global_thread_num(0), last = 0;
        uint32_t lower = 0, upper = UINT32_MAX;
        int32_t stride = 1;
        __kmpc_for_static_init_4u(0, self, 34, &last, &lower, &upper, &stride, 1, 0);
        iterations += (uint32_t)(upper - lower + 1) != 0;
        __kmpc_for_static_fini(0, self);
        uint64_t first = 0, end = UINT64_MAX;
        int64_t by = 1;
        __kmpc_for_static_init_8u(0, self, 34, &last, &first, &end, &by, 1, 0);
        iterations += end - first + 1 != 0;
        __kmpc_for_static_fini(0, self);
    }
    CHECK_EQ(iterations, 0);
    return check_done();
}
