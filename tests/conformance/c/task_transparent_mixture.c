/* Trees of transparent tasks by chance, with every kind of wait, dependence and task that orders or
 * starts tasks differently: untied, with a priority, undeferred, in taskgroups, with events. Each
 * access finds the version that it would find if every task were executed where it is made; and
 * everything ends. */
/* @compilers: clang — the flag is in that interface only */
/* @distrust: clang — LLVM's runtime accepts the flag and orders nothing */
/* @env: OMP_MAX_TASK_PRIORITY=10 */
#include "check.h"
#include "transparent.h"

extern void __kmpc_taskgroup(ident_t *, int);
extern void __kmpc_end_taskgroup(ident_t *, int);

enum { ITEMS = 6, LEVELS = 4, TREES = 60 };
/* How often each item was written, and how often counted. */
static long items[ITEMS], counts[ITEMS];

/* What a task has to make: decided by the seed. The versions are those that the items have where it
 * is made. */
struct plan {
    unsigned long seed;
    int level;
    long versions[ITEMS], counts[ITEMS];
};

static unsigned long chance(unsigned long *state, unsigned long below)
{
    *state = *state * 6364136223846793005ul + 1442695040888963407ul;
    return (*state >> 33) % below;
}

static void write_item(long item, long version)
{
    CHECK_EQ(items[item], version);
    items[item] = version + 1;
}

static void read_item(long item, long version)
{
    CHECK_EQ(items[item], version);
}

static void count_item(long item, long version)
{
    CHECK_EQ(items[item], version);
    counts[item]++;
}

static void wait_for_item(long item, long version)
{
    struct depend list = {(uintptr_t)&items[item], 1, IN};
    __kmpc_omp_wait_deps(NULL, __kmpc_global_thread_num(NULL), 1, &list, 0, NULL);
    CHECK_EQ(items[item], version);
}

/* A task that is complete when its event is fulfilled, and one that waits for it; fulfilled at
 * once, since who waits for that might have to be executed by this thread. */
static void detach_item(long item, long version)
{
    omp_event_handle_t event = 0;
#pragma omp task detach(event) depend(inout : items[item])
    ;
    make_on(TIED, INOUT, &items[item], write_item, item, version);
    omp_fulfill_event(event);
}

static void body(long plan, long unused);

static void make_parent(const struct plan *from, int flags, int priority, int undeferred)
{
    int gtid = __kmpc_global_thread_num(NULL);
    struct plan *plan = malloc(sizeof *plan);
    *plan = *from;
    if (priority)
        flags |= PRIORITY;
    struct task *task = allocate(flags | TRANSPARENT, body, (long)plan, 0);
    if (priority)
        task->data2 = (void *)(long)priority;
    if (!undeferred) {
        __kmpc_omp_task(NULL, gtid, task);
        return;
    }
    __kmpc_omp_task_begin_if0(NULL, gtid, task);
    body((long)plan, 0);
    __kmpc_omp_task_complete_if0(NULL, gtid, task);
}

/* Goes through what a task makes, and makes it if `real`; the plan's versions are then those behind
 * it. */
static void go(struct plan *plan, int real)
{
    unsigned long state = plan->seed;
    int many = 1 + (int)chance(&state, 6), grouped = chance(&state, 4) == 0;
    long *versions = plan->versions;
    if (real && grouped)
        __kmpc_taskgroup(NULL, __kmpc_global_thread_num(NULL));
    for (int i = 0; i < many; i++) {
        long item = (long)chance(&state, ITEMS);
        int untied = chance(&state, 8) == 0, priority = (int)chance(&state, 3);
        int undeferred = !untied && chance(&state, 8) == 0;
        struct plan child = *plan;
        child.level++;
        child.seed = chance(&state, 1ul << 30);
        switch (chance(&state, 14)) {
        case 0:
        case 1:
            if (real)
                make_on(TIED, INOUT, &items[item], write_item, item, versions[item]);
            versions[item]++;
            break;
        case 2:
        case 3:
            if (real)
                make_on(TIED, i % 2 ? IN : SET, &items[item], read_item, item, versions[item]);
            break;
        case 4:
            if (real)
                make_on(TIED, MUTEX, &items[item], count_item, item, versions[item]);
            plan->counts[item]++;
            break;
        case 5:
            if (real)
                wait_for_item(item, versions[item]);
            break;
        case 6:
            if (real) {
#pragma omp taskwait
            }
            break;
        case 7:
            if (real)
                detach_item(item, versions[item]);
            versions[item]++;
            break;
        default:
            if (child.level < LEVELS) {
                if (real)
                    make_parent(&child, untied ? 0 : TIED, priority, undeferred);
                go(&child, 0);
                memcpy(plan->versions, child.versions, sizeof child.versions);
                memcpy(plan->counts, child.counts, sizeof child.counts);
            }
        }
    }
    if (real && grouped)
        __kmpc_end_taskgroup(NULL, __kmpc_global_thread_num(NULL));
}

static void body(long plan, long unused)
{
    (void)unused;
    go((struct plan *)plan, 1);
    free((struct plan *)plan);
}

int main(void)
{
    for (int tree = 0; tree < TREES; tree++) {
        struct plan plan = {.seed = (unsigned long)tree + 1, .level = 0};
        memset(items, 0, sizeof items);
        memset(counts, 0, sizeof counts);
#pragma omp parallel
#pragma omp single
        {
#pragma omp taskgroup
            for (int i = 0; i < 4; i++) {
                plan.seed += 1000;
                make_parent(&plan, TIED, 0, 0);
                go(&plan, 0);
            }
        }
        for (int i = 0; i < ITEMS; i++) {
            CHECK_EQ(items[i], plan.versions[i]);
            CHECK_EQ(counts[i], plan.counts[i]);
        }
    }
    return check_done();
}
