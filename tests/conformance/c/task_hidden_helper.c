/* Target tasks, which hidden helper threads execute: by their thread numbers, in order with
 * ordinary tasks, in groups, from a team of one, with tasks and regions inside. No helper is there
 * before one is needed. Called as compiled code would: a host without devices has no other use for
 * them. */
/* @compilers: clang — helpers are LLVM's */
/* @distrust: clang — libomp 19 ends by an assertion of its own where several threads make them */
#include "check.h"
#include "kmpc_task.h"
#include <dirent.h>
#include <omp.h>

struct task {
    TASK_HEAD
    void (*body)(void *);
    void *argument;
};

/* The numbers that LLVM's runtime keeps for helpers. */
enum { LAST = 8, TASKS = 50 };

static int number(void) { return __kmpc_global_thread_num(NULL); }
static int is_helper(void) { return number() >= 1 && number() <= LAST; }

static int call(int gtid, struct task *task)
{
    CHECK_EQ(gtid, number());
    task->body(task->argument);
    return 0;
}

static void make(void (*body)(void *), void *argument, void *address)
{
    struct task *task = __kmpc_omp_target_task_alloc(NULL, number(), 1, sizeof *task, 0, call, -1);
    struct depend depend = {(uintptr_t)address, sizeof(int), 3};
    task->body = body;
    task->argument = argument;
    if (address)
        __kmpc_omp_task_with_deps(NULL, number(), task, 1, &depend, 0, NULL);
    else
        __kmpc_omp_task(NULL, number(), task);
}

static void count(void *counter)
{
    CHECK(is_helper());
#pragma omp atomic
    ++*(int *)counter;
}

/* What is made inside is the helper's own. */
static void nest(void *counter)
{
    int here = number(), inside = 0, sum = 0;
    CHECK(is_helper());
    for (int i = 0; i < 3; i++) {
#pragma omp task shared(inside)
        count(&inside);
    }
    make(count, &inside, NULL);
#pragma omp taskwait
    CHECK_EQ(inside, 4);
#pragma omp parallel num_threads(2) reduction(+ : sum)
    sum += omp_get_num_threads() > 0;
    CHECK(sum >= 1 && number() == here);
#pragma omp atomic
    ++*(int *)counter;
}

static int os_threads(void)
{
    int found = 0;
    DIR *folder = opendir("/proc/self/task");
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        found += entry->d_name[0] != '.';
    if (folder)
        closedir(folder);
    return found;
}

static void all(void)
{
    int done = 0, chain = 0, before = 0, after = 0;
    CHECK(!is_helper());
    for (int i = 0; i < TASKS; i++)
        make(count, &done, NULL);
#pragma omp taskwait
    CHECK_EQ(done, TASKS);

#pragma omp taskgroup
    for (int i = 0; i < TASKS; i++)
        make(nest, &done, NULL);
    CHECK_EQ(done, 2 * TASKS);

    /* In turn with ordinary tasks. */
    for (int i = 0; i < TASKS; i++) {
#pragma omp task shared(before, done) depend(inout : chain) firstprivate(i)
        {
            CHECK(!is_helper() && done == 2 * TASKS + i);
            before++;
        }
        make(count, &done, &chain);
#pragma omp task shared(after, done) depend(inout : chain) firstprivate(i)
        {
            CHECK(!is_helper() && done == 2 * TASKS + i + 1);
            after++;
        }
    }
#pragma omp taskwait
    CHECK(before == TASKS && after == TASKS);
}

static int met, left;

int main(void)
{
    int size = 0, threads;
#pragma omp parallel reduction(+ : size)
    {
        CHECK(!is_helper());
        size++;
    }
    threads = os_threads();
    CHECK(threads <= size);
    all();
    CHECK(os_threads() > threads);
    for (int round = 0; round < 5; round++) {
        met = left = 0;
#pragma omp parallel
        {
            all();
            make(count, &met, NULL);
#pragma omp barrier
            CHECK_EQ(met, omp_get_num_threads());
            make(count, &left, NULL);
        }
        CHECK(left > 0 && left == met);
    }
    return check_done();
}
