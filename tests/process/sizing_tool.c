/* A tool that lends and borrows processors, as load balancers do: it says in its callbacks how many
 * threads there shall be. A region gets what was said in its own begin, unless its clause says
 * it. */
#include "../conformance/check.h"
#include "../tools/start.h"

static struct {
    int say;
    unsigned asked, size;
    int workers_before_begin;
} seen;
static __thread int begun;

static void on_thread_begin(ompt_thread_t type, ompt_data_t *thread)
{
    (void)thread;
    begun = 1;
    if (type == ompt_thread_worker && !seen.asked)
        __atomic_add_fetch(&seen.workers_before_begin, 1, __ATOMIC_SEQ_CST);
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region,
                              unsigned requested, int flags, const void *codeptr)
{
    (void)task, (void)frame, (void)region, (void)flags, (void)codeptr;
    CHECK(begun);
    seen.asked = requested;
    CHECK_EQ(omp_get_max_threads(), 2);
    omp_set_num_threads(seen.say);
}

static void on_parallel_end(ompt_data_t *region, ompt_data_t *task, int flags, const void *codeptr)
{
    (void)region, (void)task, (void)flags, (void)codeptr;
    omp_set_num_threads(2);
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *region, ompt_data_t *task,
                             unsigned parallelism, unsigned index, int flags)
{
    (void)region, (void)task;
    if (endpoint == ompt_scope_begin && index == 0 && flags & ompt_task_implicit)
        seen.size = parallelism;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    (void)device, (void)data;
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    set(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
    set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
    set(ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end);
    set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
    omp_set_num_threads(2);
    return 1;
}

static void finalize(ompt_data_t *data) { (void)data; }

START_TOOL(initialize, finalize)

static void region(int say)
{
    int members = 0;
    seen.say = say;
#pragma omp parallel reduction(+ : members)
    {
        members++;
        /* What its own tasks inherit. */
        CHECK_EQ(omp_get_max_threads(), say);
    }
    CHECK_EQ(members, say);
    CHECK_EQ(seen.size, say);
    CHECK_EQ(seen.asked, 2);
    CHECK_EQ(omp_get_max_threads(), 2);
}

static void loop(int say)
{
    int sum = 0;
    seen.say = say;
    /* One call of the runtime with GCC: its first loop is prepared for the team. */
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : sum)
    for (int i = 0; i < 100; i++)
        sum += i;
    CHECK_EQ(sum, 4950);
    CHECK_EQ(seen.size, say);
}

static void clause(int say)
{
    int members = 0;
    seen.say = say;
#pragma omp parallel num_threads(3) reduction(+ : members)
    members++;
    CHECK_EQ(members, 3);
    CHECK_EQ(seen.asked, 3);
}

int main(void)
{
    omp_set_dynamic(0);
    for (int turn = 0; turn < 3; turn++) {
        region(5);
        region(1);
        region(4);
        loop(3);
        loop(1);
        clause(6);
        clause(1);
    }
    /* Whoever hears of a region before its threads can still say that there shall be none. */
    CHECK_EQ(seen.workers_before_begin, 0);
    return check_done();
}
