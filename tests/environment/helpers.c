/* Makes a target task, as code of LLVM's compilers does, and prints the number of the thread that
 * executes it. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct task {
    void *shareds;
    int (*routine)(int, struct task *);
    int part;
    void *data1, *data2;
} task_t;
extern int __kmpc_global_thread_num(void *);
extern task_t *__kmpc_omp_target_task_alloc(void *, int, int, size_t, size_t,
                                            int (*)(int, task_t *), int64_t);
extern int __kmpc_omp_task(void *, int, task_t *);
extern int __kmpc_omp_taskwait(void *, int);

static int show(int number, task_t *task)
{
    (void)task;
    printf("executed by %d\n", number);
    return 0;
}

int main(void)
{
    int me = __kmpc_global_thread_num(NULL);
    __kmpc_omp_task(NULL, me, __kmpc_omp_target_task_alloc(NULL, me, 1, sizeof(task_t), 0, show, -1));
    __kmpc_omp_taskwait(NULL, me);
    return 0;
}
