/* Transparent tasks by direct calls of LLVM's interface, as compiled code would make them: no compiler comes to
 * its end on the clause yet. */
#ifndef TRANSPARENT_H
#define TRANSPARENT_H
#include <omp.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ident ident_t;
struct task {
    void *shareds;
    int (*routine)(int, struct task *);
    int part;
    void *data1, *data2;
    void (*body)(long, long);
    long a, b;
};
struct depend {
    uintptr_t address;
    size_t length;
    unsigned char flags;
};
extern int __kmpc_global_thread_num(ident_t *);
extern struct task *__kmpc_omp_task_alloc(ident_t *, int, int, size_t, size_t,
                                          int (*)(int, struct task *));
extern int __kmpc_omp_task(ident_t *, int, struct task *);
extern int __kmpc_omp_task_with_deps(ident_t *, int, struct task *, int, struct depend *, int,
                                     struct depend *);
extern void __kmpc_omp_task_begin_if0(ident_t *, int, struct task *);
extern void __kmpc_omp_task_complete_if0(ident_t *, int, struct task *);
extern void __kmpc_omp_wait_deps(ident_t *, int, int, struct depend *, int, struct depend *);
extern void __kmpc_omp_taskwait_deps_51(ident_t *, int, int, struct depend *, int, struct depend *, int);
extern void *__kmpc_task_allow_completion_event(ident_t *, int, struct task *);

enum { TIED = 1, FINAL = 2, PRIORITY = 0x20, DETACHABLE = 0x40, TRANSPARENT = 0x100 };
enum { NONE = 0, IN = 1, INOUT = 3, MUTEX = 4, SET = 8, ALL = 0x80 };

static inline int call(int gtid, struct task *task)
{
    (void)gtid;
    task->body(task->a, task->b);
    return 0;
}

static inline struct task *allocate(int flags, void (*body)(long, long), long a, long b)
{
    int gtid = __kmpc_global_thread_num(NULL);
    struct task *task = __kmpc_omp_task_alloc(NULL, gtid, flags, sizeof *task, 0, call);
    task->body = body;
    task->a = a;
    task->b = b;
    return task;
}

/* Makes a task that depends on `address`, unless the kind is NONE. */
static inline void make_on(int flags, int kind, void *address, void (*body)(long, long), long a, long b)
{
    int gtid = __kmpc_global_thread_num(NULL);
    struct task *task = allocate(flags, body, a, b);
    struct depend depend = {(uintptr_t)address, 1, (unsigned char)kind};
    if (kind == NONE)
        __kmpc_omp_task(NULL, gtid, task);
    else
        __kmpc_omp_task_with_deps(NULL, gtid, task, 1, &depend, 0, NULL);
}

#endif
