/* Transparent tasks by direct calls of LLVM's interface: no compiler comes to its end on the clause
 * yet. */
#ifndef TRANSPARENT_H
#define TRANSPARENT_H
#include "kmpc_task.h"
#include <omp.h>

struct task {
    TASK_HEAD
    void (*body)(long, long);
    long a, b;
};

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
static inline void make_on(int flags, int kind, void *address, void (*body)(long, long), long a,
                           long b)
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
