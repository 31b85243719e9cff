/* A thread that is reserved for free agents executes a task of the pool while the one that made it,
 * alone in its team, waits for it in its own way. By direct calls: clang 22 is the first that knows
 * the clause. */
/* @env: OMP_THREADS_RESERVE=structured(1),free_agent(2) */
/* @threads: 1 2 4 */
/* @compilers: clang — the entry points are in LLVM's interface */
/* @distrust: clang — libomp has no free-agent threads */
#include "kmpc_task.h"
#include "newer.h"

NEWER(int, omp_is_free_agent, void);
NEWER(int, omp_ancestor_is_free_agent, int);

struct task {
    TASK_HEAD
};

static int seen, agents, wrong, address;

static void pool_task(routine_t *routine, struct depend *depend)
{
    int gtid = __kmpc_global_thread_num(NULL);
    struct task *task =
        __kmpc_omp_task_alloc(NULL, gtid, TIED | FREE_AGENT, sizeof(struct task), 0, routine);
    if (depend)
        __kmpc_omp_task_with_deps(NULL, gtid, task, 1, depend, 0, NULL);
    else
        __kmpc_omp_task(NULL, gtid, task);
}

/* A further one, which an agent makes: whoever executes it, its maker waits for it. */
static int inner(int gtid, struct task *task)
{
    (void)gtid, (void)task;
    wrong += omp_get_level() != 0 || omp_get_num_threads() != 1;
    return 0;
}

static int outer(int gtid, struct task *task)
{
    (void)gtid, (void)task;
    agents += newer_omp_is_free_agent();
    wrong += omp_get_thread_num() != -2 || omp_get_num_threads() != 1 || omp_get_level() != 0;
    wrong += omp_get_ancestor_thread_num(0) != -2 || newer_omp_ancestor_is_free_agent(0) != 1;
    wrong += !omp_in_explicit_task() || omp_in_parallel();
    pool_task(inner, NULL);
#pragma omp taskwait
    int sum = 0, expected = 0;
#pragma omp parallel reduction(+ : sum)
    {
        sum += omp_get_thread_num() == 0 ? newer_omp_is_free_agent() : !newer_omp_is_free_agent();
        sum += newer_omp_ancestor_is_free_agent(0) + (omp_get_ancestor_thread_num(0) == -2);
#pragma omp single
        expected = 3 * omp_get_num_threads();
    }
    wrong += sum != expected;
    __atomic_store_n(&seen, 1, __ATOMIC_RELEASE);
    return 0;
}

static int chained(int gtid, struct task *task)
{
    (void)gtid, (void)task;
    __atomic_fetch_add(&seen, 1, __ATOMIC_RELEASE);
    return 0;
}

static void wait_for(int count)
{
    while (__atomic_load_n(&seen, __ATOMIC_ACQUIRE) != count)
        ;
    __atomic_store_n(&seen, 0, __ATOMIC_RELEASE);
}

static int at_exit(int gtid, struct task *task)
{
    (void)gtid, (void)task;
    if (wrong != 0)
        fprintf(stderr, "something was wrong\n");
    else
        puts("ok");
    fflush(stdout);
    return 0;
}

int main(void)
{
    NEWER_FIND(omp_is_free_agent);
    NEWER_FIND(omp_ancestor_is_free_agent);
    for (int time = 0; time < 100; time++) {
        pool_task(outer, NULL);
        wait_for(1);
    }
    CHECK_EQ(agents, 100);
    CHECK_EQ(wrong, 0);

    /* A chain: each becomes ready on an agent. */
    struct depend depend = {(uintptr_t)&address, sizeof address, 3};
    for (int i = 0; i < 50; i++)
        pool_task(chained, &depend);
    wait_for(50);

    /* The program's end waits for a task that nobody waits for. */
    if (check_failures)
        return 1;
    pool_task(at_exit, NULL);
    return 0;
}
