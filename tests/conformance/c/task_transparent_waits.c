/* What a transparent task waits for may be an older task that has not begun, under others in the
 * queue: the wait ends although one thread executes everything. What it need not wait for is not
 * begun meanwhile: the task may hold a lock. */
/* @compilers: clang — the flag is in that interface only */
/* @distrust: clang — LLVM's runtime accepts the flag and orders nothing */
#include "check.h"
#include "transparent.h"
#include <sched.h>

enum { MANY = 40 };
static long x, y, z, gate;
static long order, written, began;
static omp_lock_t lock;
static omp_event_handle_t event;

static void write_x(long value, long unused)
{
    (void)unused;
    CHECK_EQ(x, value);
    x = value + 1;
}

static void read_x(long value, long unused)
{
    (void)unused;
    CHECK_EQ(x, value);
#pragma omp atomic
    order++;
}

static void copy_x_to_y(long value, long unused)
{
    (void)unused;
    CHECK_EQ(x, value);
    y = x;
}

static void read_y(long value, long unused)
{
    (void)unused;
    CHECK_EQ(y, value);
#pragma omp atomic
    order++;
}

static void nothing(long a, long b)
{
    (void)a, (void)b;
}

/* Holds the lock while it waits for a child that reads `x`. */
static void wait_with_lock(long value, long unused)
{
    (void)unused;
    omp_set_lock(&lock);
    make_on(TIED, IN, &x, read_x, value, 0);
#pragma omp taskwait
    omp_unset_lock(&lock);
}

/* Not needed by whoever waits: it would wait for the lock for ever on that one's thread. */
static void take_lock(long a, long b)
{
    (void)a, (void)b;
    omp_set_lock(&lock);
    began++;
    omp_unset_lock(&lock);
}

/* Everything that could stand in the way, above and below. */
static void unneeded(void)
{
    for (int i = 0; i < MANY; i++)
        make_on(TIED, i % 2 ? INOUT : NONE, &z, take_lock, 0, 0);
}

static void taskwait_for_older(void)
{
    unneeded();
    make_on(TIED, INOUT, &x, write_x, 0, 0);
    make_on(TIED, INOUT, &x, write_x, 1, 0);
    unneeded();
    make_on(TIED | TRANSPARENT, NONE, NULL, wait_with_lock, 2, 0);
#pragma omp taskwait
    CHECK_EQ(x, 2);
    CHECK_EQ(order, 1);
    CHECK_EQ(began, 2 * MANY);
}

/* Through a chain, and through the children of an older transparent task. */
static void children(long value, long unused)
{
    (void)unused;
    make_on(TIED, INOUT, &x, write_x, value, 0);
    make_on(TIED, INOUT, &x, write_x, value + 1, 0);
}
static void second(long value, long unused)
{
    struct depend list[2] = {{(uintptr_t)&x, 1, IN}, {(uintptr_t)&y, 1, INOUT}};
    int gtid = __kmpc_global_thread_num(NULL);
    (void)unused;
    __kmpc_omp_task_with_deps(NULL, gtid, allocate(TIED, copy_x_to_y, value, 0), 2, list, 0, NULL);
#pragma omp taskwait
}
static void third(long value, long unused)
{
    (void)unused;
    make_on(TIED, IN, &y, read_y, value, 0);
#pragma omp taskwait
    CHECK_EQ(order, 1);
}
static void through_others(void)
{
    unneeded();
    make_on(TIED | TRANSPARENT, NONE, NULL, children, 0, 0);
    make_on(TIED | TRANSPARENT, NONE, NULL, second, 2, 0);
    unneeded();
    make_on(TIED | TRANSPARENT, NONE, NULL, third, 2, 0);
#pragma omp taskwait
    CHECK_EQ(x, 2);
    CHECK_EQ(y, 2);
    CHECK_EQ(order, 1);
}

/* A taskgroup waits for grandchildren, whose parents have ended. */
static void grandchild(long value, long unused)
{
    (void)unused;
    make_on(TIED, IN, &x, read_x, value, 0);
}
static void group(long value, long unused)
{
    (void)unused;
#pragma omp taskgroup
    {
        make_on(TIED | TRANSPARENT, NONE, NULL, grandchild, value, 0);
        make_on(TIED | TRANSPARENT, NONE, NULL, grandchild, value, 0);
    }
    CHECK_EQ(order, 2);
}
static void taskgroup_for_older(void)
{
    unneeded();
    make_on(TIED, INOUT, &x, write_x, 0, 0);
    unneeded();
    make_on(TIED | TRANSPARENT, NONE, NULL, group, 1, 0);
#pragma omp taskwait
    CHECK_EQ(order, 2);
}

/* Waits with dependences of their own. */
static void depends(long value, long unused)
{
    struct depend list = {(uintptr_t)&x, 1, IN};
    (void)unused;
    omp_set_lock(&lock);
    __kmpc_omp_wait_deps(NULL, __kmpc_global_thread_num(NULL), 1, &list, 0, NULL);
    CHECK_EQ(x, value);
    omp_unset_lock(&lock);
}
static void depend_for_older(void)
{
    unneeded();
    make_on(TIED, INOUT, &x, write_x, 0, 0);
    unneeded();
    make_on(TIED | TRANSPARENT, NONE, NULL, depends, 1, 0);
#pragma omp taskwait
}

/* One of those that exclude each other has the turn, in the queue. */
static void add(long a, long b)
{
    (void)a, (void)b;
    written++;
}
static void wait_for_set(long count, long unused)
{
    (void)unused;
    omp_set_lock(&lock);
    make_on(TIED, IN, &x, nothing, 0, 0);
#pragma omp taskwait
    CHECK_EQ(written, count);
    omp_unset_lock(&lock);
}
static void turns(void)
{
    unneeded();
    for (int i = 0; i < 5; i++)
        make_on(TIED, MUTEX, &x, add, 0, 0);
    make_on(TIED | TRANSPARENT, NONE, NULL, wait_for_set, 5, 0);
    unneeded();
#pragma omp taskwait
}

/* What the older task waits for comes about in the task itself. */
static void fulfil(long value, long unused)
{
    (void)unused;
    omp_fulfill_event(event);
    omp_set_lock(&lock);
    make_on(TIED, IN, &x, read_x, value, 0);
#pragma omp taskwait
    omp_unset_lock(&lock);
}
static void fulfilled_inside(void)
{
#pragma omp task detach(event) depend(inout : gate)
    ;
    for (int i = 0; i < MANY; i++)
        make_on(TIED, IN, &gate, take_lock, 0, 0);
#pragma omp task depend(in : gate) depend(inout : x)
    write_x(0, 0);
    make_on(TIED | TRANSPARENT, NONE, NULL, fulfil, 1, 0);
#pragma omp taskwait
    CHECK_EQ(order, 1);
    CHECK_EQ(began, MANY);
}

/* The primary thread alone executes what `test` makes: the others wait in their implicit tasks. */
static void alone(void (*test)(void))
{
    int done = 0;
    x = y = z = gate = order = written = began = 0;
#pragma omp parallel
    {
        if (omp_get_thread_num() == 0) {
            test();
#pragma omp atomic write
            done = 1;
        } else {
            for (int now = 0; !now; sched_yield()) {
#pragma omp atomic read
                now = done;
            }
        }
    }
}

/* Every thread executes what there is. */
static void together(void (*test)(void))
{
    x = y = z = gate = order = written = began = 0;
#pragma omp parallel
#pragma omp single
    test();
}

int main(void)
{
    void (*const tests[])(void) = {
        taskwait_for_older, through_others, taskgroup_for_older,
        depend_for_older,   turns,          fulfilled_inside,
    };
    omp_init_lock(&lock);
    for (unsigned i = 0; i < sizeof tests / sizeof *tests; i++) {
        alone(tests[i]);
        for (int round = 0; round < 20; round++)
            together(tests[i]);
    }
    return check_done();
}
