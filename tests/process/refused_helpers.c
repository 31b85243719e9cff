#define _GNU_SOURCE
/* Thread creation refused: target tasks, which hidden helper threads would execute, are executed
 * all the same. As compiled code of LLVM's makes them. */
#include "../conformance/check.h"
#include "../conformance/kmpc_task.h"
#include <sys/resource.h>
#include <unistd.h>

struct task {
    TASK_HEAD
};

static int done;

static int count(int number, struct task *task)
{
    (void)number, (void)task;
#pragma omp atomic
    done++;
    return 0;
}

static void make(void)
{
    int me = __kmpc_global_thread_num(NULL);
    struct task *task = __kmpc_omp_target_task_alloc(NULL, me, 1, sizeof *task, 0, count, -1);
    __kmpc_omp_task(NULL, me, task);
}

int main(void)
{
    int members = 0;
#pragma omp parallel num_threads(2)
#pragma omp atomic
    members++;
    struct rlimit limit = {1, 1};
    CHECK_EQ(setrlimit(RLIMIT_NPROC, &limit), 0);
    /* The limit does not bind root: become somebody without other processes. */
    if (geteuid() == 0)
        CHECK_EQ(setresuid(54321, 54321, 54321), 0);
    for (int i = 0; i < 20; i++)
        make();
#pragma omp taskwait
    CHECK_EQ(done, 20);
#pragma omp parallel num_threads(2)
    for (int i = 0; i < 20; i++)
        make();
    CHECK_EQ(done, 20 + 20 * members);
    return check_done();
}
