/* Tasks by direct calls of LLVM's interface, as code of its compilers makes them. The program has
 * `struct task`, which begins with TASK_HEAD and may go on with what is the task's own. */
#ifndef KMPC_TASK_H
#define KMPC_TASK_H
#include <stddef.h>
#include <stdint.h>

typedef struct ident ident_t;
struct task;
typedef int routine_t(int gtid, struct task *task);
#define TASK_HEAD \
    void *shareds; \
    routine_t *routine; \
    int part; \
    void *data1, *data2;

struct depend {
    uintptr_t address;
    size_t length;
    unsigned char flags;
};
/* Its kind of dependence. */
enum { NONE = 0, IN = 1, OUT = 2, INOUT = 3, MUTEX = 4, SET = 8, ALL = 0x80 };
/* A task's flags. */
enum {
    TIED = 1,
    FINAL = 2,
    PRIORITY = 0x20,
    DETACHABLE = 0x40,
    FREE_AGENT = 0x80,
    TRANSPARENT = 0x100
};

extern int __kmpc_global_thread_num(ident_t *);
extern struct task *__kmpc_omp_task_alloc(ident_t *, int, int, size_t, size_t, routine_t *);
extern struct task *__kmpc_omp_target_task_alloc(ident_t *, int, int, size_t, size_t, routine_t *,
                                                 int64_t);
extern int __kmpc_omp_task(ident_t *, int, struct task *);
extern int __kmpc_omp_task_with_deps(ident_t *, int, struct task *, int, struct depend *, int,
                                     struct depend *);
extern void __kmpc_omp_task_begin_if0(ident_t *, int, struct task *);
extern void __kmpc_omp_task_complete_if0(ident_t *, int, struct task *);
extern int __kmpc_omp_taskwait(ident_t *, int);
extern void __kmpc_omp_wait_deps(ident_t *, int, int, struct depend *, int, struct depend *);
extern void __kmpc_omp_taskwait_deps_51(ident_t *, int, int, struct depend *, int, struct depend *,
                                        int);
extern void *__kmpc_task_allow_completion_event(ident_t *, int, struct task *);

#endif
