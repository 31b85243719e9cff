/* Entry points of LLVM's interface that older compilers and hand-written bindings call. */
/* @compilers: clang — they are in that interface only */
#include "check.h"

typedef struct {
    int reserved_1, flags, reserved_2, reserved_3;
    const char *psource;
} ident_t;
typedef int critical_name[8];
extern int __kmpc_global_thread_num(ident_t *);
extern int __kmpc_bound_thread_num(ident_t *);
extern int __kmpc_bound_num_threads(ident_t *);
extern int __kmpc_in_parallel(ident_t *);
extern void __kmpc_push_num_threads(ident_t *, int, int);
extern void __kmpc_fork_call(ident_t *, int, void (*)(int *, int *, ...), ...);
extern void __kmpc_serialized_parallel(ident_t *, int);
extern void __kmpc_end_serialized_parallel(ident_t *, int);
extern void __kmpc_barrier(ident_t *, int);
extern int __kmpc_single(ident_t *, int);
extern void __kmpc_end_single(ident_t *, int);
extern void __kmpc_critical(ident_t *, int, critical_name *);
extern void __kmpc_end_critical(ident_t *, int, critical_name *);
extern void __kmpc_for_static_init_4(ident_t *, int, int, int *, int *, int *, int *, int, int);
extern void __kmpc_for_static_fini(ident_t *, int);
extern void __kmpc_dispatch_init_4(ident_t *, int, int, int, int, int, int);
extern int __kmpc_dispatch_next_4(ident_t *, int, int *, int *, int *, int *);

static ident_t place = {0, 2, 0, 0, ";kmpc_direct.c;main;1;1;;"};
static critical_name name;

static void body(int *global, int *bound, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, bound);
    long *words[9];
    for (int i = 0; i < 9; i++)
        words[i] = __builtin_va_arg(arguments, long *);
    __builtin_va_end(arguments);
    CHECK_EQ(*bound, omp_get_thread_num());
    CHECK_EQ(__kmpc_bound_num_threads(&place), 3);
    __kmpc_critical(&place, *global, &name);
    for (int i = 0; i < 9; i++)
        *words[i] += i;
    __kmpc_end_critical(&place, *global, &name);
    __kmpc_barrier(&place, *global);
    if (__kmpc_single(&place, *global)) {
        *words[0] += 100;
        __kmpc_end_single(&place, *global);
    }
    __kmpc_barrier(&place, *global);
    int last = 0, lower = 0, upper = 99, stride = 1;
    __kmpc_for_static_init_4(&place, *global, 34, &last, &lower, &upper, &stride, 1, 1);
    __kmpc_for_static_fini(&place, *global);
    CHECK_EQ(last, *bound == 2);
    __kmpc_dispatch_init_4(&place, *global, 35, 0, 99, 1, 7);
    while (__kmpc_dispatch_next_4(&place, *global, &last, &lower, &upper, &stride))
        for (int i = lower; i <= upper; i += stride)
            __atomic_add_fetch(words[1], 1, __ATOMIC_RELAXED);
    __kmpc_barrier(&place, *global);
}

int main(void)
{
    int me = __kmpc_global_thread_num(&place);
    long w[9] = {0};
    CHECK_EQ(__kmpc_in_parallel(&place), 0);
    __kmpc_push_num_threads(&place, me, 3);
    __kmpc_fork_call(&place, 9, (void (*)(int *, int *, ...))body, &w[0], &w[1], &w[2], &w[3],
                     &w[4], &w[5], &w[6], &w[7], &w[8]);
    CHECK_EQ(w[0], 100);
    CHECK_EQ(w[1], 3 + 100);
    for (int i = 2; i < 9; i++)
        CHECK_EQ(w[i], 3 * i);
    __kmpc_serialized_parallel(&place, me);
    CHECK_EQ(omp_get_level(), 1);
    CHECK_EQ(omp_get_num_threads(), 1);
    __kmpc_end_serialized_parallel(&place, me);
    CHECK_EQ(omp_in_parallel(), 0);
    return check_done();
}
