/* Later siblings of a transparent task wait for its body and for those of its children that name
 * the same storage, not for the others: one of them may be what lets such a child end. The same
 * where the task itself has an event, has transparent children, and where it is cancelled. */
/* @compilers: clang — the flag is in that interface only */
/* @distrust: clang — LLVM's runtime accepts the flag and orders nothing */
/* @env: OMP_CANCELLATION=true */
#include "check.h"
#include "transparent.h"

enum { ROUNDS = 50 };
static long x, y, z, seen, past;
static omp_event_handle_t event;

static void nothing(long a, long b)
{
    (void)a, (void)b;
}

static void set(long item, long value)
{
    *(long *)item = value;
}

static void expect(long item, long value)
{
    CHECK_EQ(*(long *)item, value);
#pragma omp atomic
    seen++;
}

static void fulfil(long a, long b)
{
    (void)a, (void)b;
    omp_fulfill_event(event);
}

/* One child ends by an event, another writes `x`. */
static void detached_child(long a, long b)
{
    (void)a, (void)b;
#pragma omp task detach(event) depend(inout : y)
    y = 1;
    make_on(TIED, INOUT, &x, set, (long)&x, 1);
}

/* The same two levels deeper, beside one that waits for what is made before. */
static void deeper(long a, long b)
{
    make_on(TIED | TRANSPARENT, NONE, NULL, detached_child, a, b);
    make_on(TIED, IN, &x, expect, (long)&x, 1);
}
static void deepest(long a, long b)
{
    make_on(TIED | TRANSPARENT, NONE, NULL, deeper, a, b);
}

/* The sibling that fulfils the event depends on `z`, and then on what the other child writes. */
static void later_ones(void)
{
    make_on(TIED, IN, &x, expect, (long)&x, 1);
    make_on(TIED, INOUT, &z, set, (long)&z, 1);
    struct depend list[2] = {{(uintptr_t)&z, 1, IN}, {(uintptr_t)&x, 1, INOUT}};
    int gtid = __kmpc_global_thread_num(NULL);
    __kmpc_omp_task_with_deps(NULL, gtid, allocate(TIED, fulfil, 0, 0), 2, list, 0, NULL);
    make_on(TIED, INOUT, &y, expect, (long)&y, 1);
    make_on(TIED, ALL, NULL, expect, (long)&z, 1);
}

static void after(void (*body)(long, long), int count)
{
    make_on(TIED | TRANSPARENT, NONE, NULL, body, 0, 0);
    later_ones();
#pragma omp taskwait
    CHECK_EQ(seen, count);
}
static void after_child(void)
{
    after(detached_child, 3);
}
static void after_grandchild(void)
{
    after(deepest, 4);
}

/* The parent waits at the exit itself. */
static void taskwait_behind(void)
{
    struct depend lists[2] = {{(uintptr_t)&x, 1, IN}, {(uintptr_t)&y, 1, IN}};
    int gtid = __kmpc_global_thread_num(NULL);
    make_on(TIED | TRANSPARENT, NONE, NULL, deepest, 0, 0);
    __kmpc_omp_taskwait_deps_51(NULL, gtid, 1, &lists[0], 0, NULL, 0);
    CHECK_EQ(x, 1);
    make_on(TIED, INOUT, &x, fulfil, 0, 0);
    __kmpc_omp_taskwait_deps_51(NULL, gtid, 1, &lists[1], 0, NULL, 0);
    CHECK_EQ(y, 1);
}

/* The task is detachable itself: its children are known when its body has ended, what it depends on
 * itself is over with the event. */
static void one_child(long a, long b)
{
    (void)a, (void)b;
    make_on(TIED, INOUT, &x, set, (long)&x, 1);
}
static void check_and_fulfil(long item, long value)
{
    expect(item, value);
    y = 1;
    fulfil(0, 0);
}
static void detachable(void)
{
    int gtid = __kmpc_global_thread_num(NULL);
    struct task *task = allocate(TIED | TRANSPARENT | DETACHABLE, one_child, 0, 0);
    struct depend depend = {(uintptr_t)&y, 1, INOUT};
    event = (omp_event_handle_t)(uintptr_t)__kmpc_task_allow_completion_event(NULL, gtid, task);
    __kmpc_omp_task_with_deps(NULL, gtid, task, 1, &depend, 0, NULL);
    make_on(TIED, INOUT, &x, check_and_fulfil, (long)&x, 1);
    make_on(TIED, INOUT, &y, expect, (long)&y, 1);
#pragma omp taskwait
    CHECK_EQ(seen, 2);
}

/* Cancelled before they begin, while they execute, and after: what comes later goes on. */
static void parent(long a, long b)
{
    make_on(TIED | TRANSPARENT, INOUT, &z, one_child, a, b);
    make_on(TIED, INOUT, &x, one_child, a, b);
}
static void cancelled(void)
{
    make_on(TIED | TRANSPARENT, NONE, NULL, one_child, 0, 0);
#pragma omp taskgroup
    {
        make_on(TIED | TRANSPARENT, NONE, NULL, parent, 0, 0);
        make_on(TIED | TRANSPARENT, INOUT, &x, parent, 0, 0);
#pragma omp task depend(inout : x)
        {
            make_on(TIED, INOUT, &x, nothing, 0, 0);
#pragma omp cancel taskgroup
#pragma omp atomic
            past++;
        }
        make_on(TIED | TRANSPARENT, NONE, NULL, parent, 0, 0);
        make_on(TIED | TRANSPARENT, INOUT, &y, parent, 0, 0);
        make_on(TIED, IN, &z, nothing, 0, 0);
    }
    CHECK_EQ(past, 0);
    make_on(TIED, INOUT, &x, expect, (long)&x, 1);
    make_on(TIED, ALL, NULL, expect, (long)&x, 1);
#pragma omp taskwait
    CHECK_EQ(seen, 2);
}

static void run(void (*test)(void))
{
    x = y = z = seen = past = 0;
#pragma omp parallel
#pragma omp single
    test();
}

int main(void)
{
    void (*const tests[])(void) = {
        after_child, after_grandchild, taskwait_behind, detachable, cancelled,
    };
    for (unsigned i = 0; i < sizeof tests / sizeof *tests; i++)
        for (int round = 0; round < ROUNDS; round++)
            run(tests[i]);
    return check_done();
}
