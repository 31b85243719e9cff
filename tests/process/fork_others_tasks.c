/* A thread of the program has tasks that wait for a hidden helper thread, or of the pool, which
 * wait for a free agent, when another one forks, which has a task under way there itself. The child
 * executes the tasks that it makes itself, and none of those, and its end waits for none of those.
 * One argument: whose tasks, "helpers" or "agents". */
#include "../conformance/check.h"
#include "../conformance/kmpc_task.h"
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

struct task {
    TASK_HEAD
    int *done;
};

enum { OTHERS = 20 };
static int of_pool, queued, executed, forked;
static pid_t parent;

static int execute(int gtid, struct task *task)
{
    (void)gtid;
    if (task->done) {
        __atomic_store_n(task->done, 1, __ATOMIC_RELEASE);
        return 0;
    }
    __atomic_add_fetch(&executed, 1, __ATOMIC_RELAXED);
    /* In the parent they are over when the child was forked. */
    while (getpid() == parent && !__atomic_load_n(&forked, __ATOMIC_ACQUIRE))
        usleep(100);
    return 0;
}

static void make(int *done)
{
    int gtid = __kmpc_global_thread_num(NULL);
    size_t size = sizeof(struct task);
    struct task *task =
        of_pool ? __kmpc_omp_task_alloc(NULL, gtid, TIED | FREE_AGENT, size, 0, execute)
                : __kmpc_omp_target_task_alloc(NULL, gtid, TIED, size, 0, execute, -1);
    task->done = done;
    __kmpc_omp_task(NULL, gtid, task);
}

static void *other(void *unused)
{
    (void)unused;
    for (int i = 0; i < OTHERS; i++)
        make(NULL);
    __atomic_store_n(&queued, 1, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&forked, __ATOMIC_ACQUIRE))
        usleep(100);
#pragma omp taskwait
    CHECK(__atomic_load_n(&executed, __ATOMIC_RELAXED) >= OTHERS);
    return NULL;
}

/* A task of its own, again and again: whoever executes it could have taken one of the others. */
static int child(void)
{
    executed = 0;
    for (int i = 0; i < 100; i++) {
        int done = 0;
        make(&done);
#pragma omp taskwait
        CHECK_EQ(__atomic_load_n(&done, __ATOMIC_ACQUIRE), 1);
        usleep(500);
    }
    CHECK_EQ(__atomic_load_n(&executed, __ATOMIC_RELAXED), 0);
    return check_failures != 0;
}

int main(int argc, char **argv)
{
    of_pool = argc > 1 && strcmp(argv[1], "agents") == 0;
    parent = getpid();
    omp_get_max_threads();
    pthread_t thread;
    if (pthread_create(&thread, NULL, other, NULL))
        return 2;
    while (!__atomic_load_n(&queued, __ATOMIC_ACQUIRE))
        usleep(100);
    pid_t pid = fork();
    if (pid == 0)
        _exit(child());
    int status = -1;
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    CHECK_EQ(status, 0);
    make(NULL);
    pid = fork();
    if (pid == 0)
        exit(0);
    __atomic_store_n(&forked, 1, __ATOMIC_RELEASE);
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    CHECK_EQ(status, 0);
    pthread_join(thread, NULL);
#pragma omp taskwait
    CHECK_EQ(__atomic_load_n(&executed, __ATOMIC_RELAXED), OTHERS + 1);
    return check_done();
}
