/* Smaller entry points of LLVM's interface, called by name: scope, clauses taken back, what its
 * device library asks. */
/* @compilers: clang — they are in that interface only */
#include "check.h"
#include <stdbool.h>

typedef struct ident ident_t;
extern int __kmpc_global_thread_num(ident_t *);
extern void __kmpc_scope(ident_t *, int, void *);
extern void __kmpc_end_scope(ident_t *, int, void *);
extern unsigned long long __kmpc_get_taskid(void);
extern unsigned long long __kmpc_get_parent_taskid(void);
extern void __kmpc_push_num_threads(ident_t *, int, int);
extern void __kmpc_pop_num_threads(ident_t *, int);
extern void **__kmpc_omp_get_target_async_handle_ptr(int);
extern bool __kmpc_omp_has_task_team(int);
extern int kmp_set_thread_affinity_mask_initial(void);

int main(void)
{
    int in_scope = 0;
#pragma omp parallel
    {
        int me = __kmpc_global_thread_num(NULL);
        __kmpc_scope(NULL, me, NULL);
#pragma omp atomic
        in_scope++;
        __kmpc_end_scope(NULL, me, NULL);
        __kmpc_pop_num_threads(NULL, me);
        CHECK_EQ(kmp_set_thread_affinity_mask_initial(), 0);
        (void)__kmpc_omp_has_task_team(me);
#pragma omp single
        {
            (void)__kmpc_get_taskid();
            (void)__kmpc_get_parent_taskid();
        }
    }
    CHECK_EQ(in_scope, check_threads());
    return check_done();
}
