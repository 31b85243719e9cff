/* A tool that is slow while it is told of an edge between two tasks finds the same data word of the
 * first one before and after, although that one ends meanwhile and its maker makes other tasks: the
 * child of a transparent task is waited for by a sibling of that task, so the edge is told of by
 * another thread than the child's maker. */
#include "../conformance/check.h"
#include "../conformance/kmpc_task.h"
#include "../tools/start.h"
#include <sched.h>

enum { ROUNDS = 3, OTHER = 1, CHILD = 2 };
static const double SLOW = 0.02; /* seconds */

struct task {
    TASK_HEAD
};
static int item, child_runs, told, remade, edges;
static __thread int makes_child;

static void set(int *flag) { __atomic_store_n(flag, 1, __ATOMIC_SEQ_CST); }
static int is_set(int *flag) { return __atomic_load_n(flag, __ATOMIC_SEQ_CST); }

static void on_task_create(ompt_data_t *parent, const ompt_frame_t *frame, ompt_data_t *task,
                           int flags, int has_dependences, const void *codeptr)
{
    (void)parent, (void)frame, (void)flags, (void)has_dependences, (void)codeptr;
    task->value = makes_child ? CHILD : OTHER;
    if (is_set(&told))
        set(&remade);
}

static void on_task_dependence(ompt_data_t *source, ompt_data_t *sink)
{
    CHECK(source != NULL && sink != NULL);
    CHECK_EQ(source->value, CHILD);
    CHECK_EQ(sink->value, OTHER);
    set(&told);
    for (double until = omp_get_wtime() + SLOW; omp_get_wtime() < until && !is_set(&remade);)
        sched_yield();
    CHECK_EQ(source->value, CHILD);
    edges++;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    (void)device, (void)data;
    ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    set_callback(ompt_callback_task_create, (ompt_callback_t)on_task_create);
    set_callback(ompt_callback_task_dependence, (ompt_callback_t)on_task_dependence);
    return 1;
}

static void finalize(ompt_data_t *data) { (void)data; }

START_TOOL(initialize, finalize)

static void make(int flags, int kind, routine_t *body)
{
    int gtid = __kmpc_global_thread_num(NULL);
    struct task *task = __kmpc_omp_task_alloc(NULL, gtid, flags, sizeof(struct task), 0, body);
    struct depend depend = {(uintptr_t)&item, sizeof item, kind};
    if (kind == NONE)
        __kmpc_omp_task(NULL, gtid, task);
    else
        __kmpc_omp_task_with_deps(NULL, gtid, task, 1, &depend, 0, NULL);
}

static int empty(int gtid, struct task *task)
{
    (void)gtid, (void)task;
    return 0;
}

/* Ends while the tool is told of the edge from it. */
static int child(int gtid, struct task *task)
{
    (void)gtid, (void)task;
    set(&child_runs);
    while (!is_set(&told))
        sched_yield();
    return 0;
}

static int parent(int gtid, struct task *task)
{
    (void)gtid, (void)task;
    makes_child = 1;
    make(TIED, OUT, child);
    makes_child = 0;
    return 0;
}

/* What the child's maker executes next. */
static int maker(int gtid, struct task *task)
{
    (void)gtid, (void)task;
    for (int i = 0; i < 100; i++)
        make(TIED, NONE, empty);
    return 0;
}

int main(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        child_runs = told = remade = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
        {
            CHECK_EQ(omp_get_num_threads(), 2);
            make(TIED | TRANSPARENT, NONE, parent);
            while (!is_set(&child_runs))
                sched_yield();
            make(TIED, NONE, maker);
            make(TIED, IN, empty);
            set(&told); /* also without an edge */
        }
    }
    CHECK_EQ(edges, ROUNDS);
    return check_done();
}
