/* Makes a target task, as code of LLVM's compilers does, and prints the number of the thread that
 * executes it. */
#include "../conformance/kmpc_task.h"
#include <stdio.h>

struct task {
    TASK_HEAD
};

static int show(int number, struct task *task)
{
    (void)task;
    printf("executed by %d\n", number);
    return 0;
}

int main(void)
{
    int me = __kmpc_global_thread_num(NULL);
    __kmpc_omp_task(NULL, me,
                    __kmpc_omp_target_task_alloc(NULL, me, 1, sizeof(struct task), 0, show, -1));
    __kmpc_omp_taskwait(NULL, me);
    return 0;
}
