/* Tasks as LLVM's newer compilers make them: `taskwait depend nowait` as a task without a routine,
 * and omp_all_memory as the address -1 or as a flag.
 *
 * @compilers: clang — calls LLVM's interface itself
 */
#include "check.h"
#include <stddef.h>

typedef struct {
    size_t address, length;
    unsigned char flags;
} depend_t;
typedef struct {
    void *shareds;
    int (*routine)(int, void *);
    int part;
    void *destructors, *data;
    int *order;
} task_t;
typedef struct {
    int reserved1, flags, reserved2, reserved3;
    const char *place;
} ident_t;

int __kmpc_global_thread_num(ident_t *);
task_t *__kmpc_omp_task_alloc(ident_t *, int, int, size_t, size_t, int (*)(int, void *));
int __kmpc_omp_task_with_deps(ident_t *, int, task_t *, int, depend_t *, int, depend_t *);

static ident_t here = {0, 2, 0, 0, ";kmpc_tasks.c;main;1;1;;"};
static int before, all, after;

static int count_all(int thread, void *task)
{
    (void)thread, (void)task;
    CHECK_EQ(__atomic_load_n(&before, __ATOMIC_SEQ_CST), 8);
    CHECK_EQ(__atomic_load_n(&after, __ATOMIC_SEQ_CST), 0);
    __atomic_add_fetch(&all, 1, __ATOMIC_SEQ_CST);
    return 0;
}

static void add(int (*routine)(int, void *), size_t address, int flags)
{
    int thread = __kmpc_global_thread_num(&here);
    depend_t depend = {address, 0, (unsigned char)flags};
    task_t *task = __kmpc_omp_task_alloc(&here, thread, 1, sizeof(task_t), 0, routine);
    __kmpc_omp_task_with_deps(&here, thread, task, 1, &depend, 0, NULL);
}

int main(void)
{
    for (int round = 0; round < 20; round++) {
        int cells[8];
        before = all = after = 0;
#pragma omp parallel
#pragma omp single
        {
            for (int i = 0; i < 8; i++) {
#pragma omp task depend(inout : cells[i]) shared(before)
                __atomic_add_fetch(&before, 1, __ATOMIC_SEQ_CST);
            }
            add(NULL, (size_t)&cells[0], 1);
            add(count_all, (size_t)-1, 2);
            add(count_all, 0, 0x80);
            for (int i = 0; i < 8; i++) {
#pragma omp task depend(in : cells[i]) shared(all, after)
                {
                    CHECK_EQ(__atomic_load_n(&all, __ATOMIC_SEQ_CST), 2);
                    __atomic_add_fetch(&after, 1, __ATOMIC_SEQ_CST);
                }
            }
        }
        CHECK_EQ(after, 8);
    }
    return check_done();
}
