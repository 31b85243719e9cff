/* Transparent tasks: their children and the siblings of the task order each other, through several
 * levels, with every kind of dependence, for undeferred tasks, taskloops and waits too. */
/* @compilers: clang — the flag is in that interface only */
/* @distrust: clang — LLVM's runtime accepts the flag and orders nothing */
#include "check.h"
#include "transparent.h"

extern void __kmpc_taskloop(ident_t *, int, struct task *, int, uint64_t *, uint64_t *, int64_t,
                            int, int, uint64_t, void *);

enum { GRAINSIZE = 1, NUM_TASKS = 2 };
enum { ITEMS = 4, ROUNDS = 20 };
/* How often each item was written, by the order that the program's text has. */
static long items[ITEMS];
static long sums[ITEMS];

static void make(int flags, int kind, long item, void (*body)(long, long), long a, long b)
{
    make_on(flags, kind, &items[item], body, a, b);
}

/* Takes long enough for a task that does not wait to be seen. */
static void take_time(void)
{
    for (volatile int i = 0; i < 2000; i++)
        ;
}

static void write_item(long item, long version)
{
    take_time();
    CHECK_EQ(items[item], version);
    items[item] = version + 1;
}

static void read_item(long item, long version)
{
    CHECK_EQ(items[item], version);
}

static void read_all(long version, long unused)
{
    (void)unused;
    for (int i = 0; i < ITEMS; i++)
        CHECK_EQ(items[i], version);
}

/* Writes every item. */
static void writers(long version, long unused)
{
    (void)unused;
    for (long i = 0; i < ITEMS; i++)
        make(TIED, INOUT, i, write_item, i, version);
}

/* The same two levels deeper, half of it by a task that has a dependence itself. */
static void inner(long version, long part)
{
    for (long i = part; i < ITEMS; i += 2)
        make(TIED, INOUT, i, write_item, i, version);
}
static void outer(long version, long unused)
{
    (void)unused;
    make(TIED | TRANSPARENT, NONE, 0, inner, version, 0);
    make(TIED | TRANSPARENT, IN, 0, inner, version, 1);
}

static void readers(long version, long unused)
{
    (void)unused;
    for (long i = 0; i < ITEMS; i++) {
        make(TIED, IN, i, read_item, i, version);
        make(TIED, SET, i, read_item, i, version);
    }
#pragma omp taskwait
}

static void add(long item, long unused)
{
    (void)unused;
    long before = sums[item];
    take_time();
    sums[item] = before + 1;
}
static void adders(long a, long b)
{
    (void)a, (void)b;
    for (long i = 0; i < ITEMS; i++)
        make(TIED, MUTEX, i, add, i, 0);
}

static void undeferred(long version, long unused)
{
    (void)unused;
    int gtid = __kmpc_global_thread_num(NULL);
    struct task *task = allocate(TIED | TRANSPARENT, writers, version, 0);
    __kmpc_omp_task_begin_if0(NULL, gtid, task);
    writers(version, 0);
    __kmpc_omp_task_complete_if0(NULL, gtid, task);
}

/* A taskloop of transparent tasks, each of which makes those for its items. */
struct loop {
    struct task task;
    uint64_t lower, upper;
};

static int call_part(int gtid, struct task *task)
{
    struct loop *loop = (struct loop *)task;
    (void)gtid;
    for (uint64_t i = loop->lower; i <= loop->upper; i++)
        make(TIED, INOUT, (long)i, write_item, (long)i, task->a);
    return 0;
}

static void make_loop(long version, int deferred, int kind, int number)
{
    int gtid = __kmpc_global_thread_num(NULL);
    struct loop *loop = (struct loop *)__kmpc_omp_task_alloc(NULL, gtid, TIED | TRANSPARENT,
                                                             sizeof *loop, 0, call_part);
    loop->task.a = version;
    loop->lower = 0;
    loop->upper = ITEMS - 1;
    __kmpc_taskloop(NULL, gtid, &loop->task, deferred, &loop->lower, &loop->upper, 1, 1, kind,
                    (uint64_t)number, NULL);
}

static void wait_for_all(void)
{
    struct depend list[ITEMS];
    for (int i = 0; i < ITEMS; i++)
        list[i] = (struct depend){(uintptr_t)&items[i], sizeof(long), IN};
    __kmpc_omp_wait_deps(NULL, __kmpc_global_thread_num(NULL), ITEMS, list, 0, NULL);
}

static void rounds(void)
{
    long version = 0;
    for (int round = 0; round < ROUNDS; round++) {
        /* Out to a sibling, and in from it. */
        make(TIED | TRANSPARENT, NONE, 0, writers, version++, 0);
        for (long i = 0; i < ITEMS; i++)
            make(TIED, INOUT, i, write_item, i, version);
        version++;
        /* From one transparent task to the next. */
        make(TIED | TRANSPARENT, NONE, 0, writers, version++, 0);
        make(TIED | TRANSPARENT, NONE, 0, outer, version++, 0);
        make(TIED | TRANSPARENT, NONE, 0, readers, version, 0);
        make(TIED | TRANSPARENT, NONE, 0, readers, version, 0);
        make(TIED | TRANSPARENT, INOUT, 1, outer, version++, 0);
        for (long i = 0; i < ITEMS; i++)
            make(TIED, IN, i, read_item, i, version);
        undeferred(version++, 0);
        make_loop(version++, 1, GRAINSIZE, 1);
        make_loop(version++, 1, NUM_TASKS, 2);
        make_loop(version++, 0, GRAINSIZE, 1);
        for (long i = 0; i < ITEMS; i++)
            make(TIED, INOUT, i, write_item, i, version);
        version++;
        make(TIED, ALL, 0, read_all, version, 0);
        make(TIED | TRANSPARENT, NONE, 0, writers, version++, 0);
        if (round % 3 == 0) {
            wait_for_all();
            read_all(version, 0);
        }
        make(TIED | TRANSPARENT, NONE, 0, adders, 0, 0);
        make(TIED | TRANSPARENT, NONE, 0, adders, 0, 0);
    }
#pragma omp taskwait
}

int main(void)
{
#pragma omp parallel
#pragma omp single
    rounds();
    for (int i = 0; i < ITEMS; i++) {
        CHECK_EQ(items[i], 11 * ROUNDS);
        CHECK_EQ(sums[i], 2 * ROUNDS);
        items[i] = sums[i] = 0;
    }

    /* By every member at once, each with what is its own: implicit tasks are no siblings. */
    static long turns[64];
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        for (int i = 0; i < 50; i++) {
#pragma omp task depend(inout : turns[me])
            turns[me]++;
#pragma omp taskwait depend(in : turns[me])
            CHECK_EQ(turns[me], i + 1);
        }
    }
    return check_done();
}
