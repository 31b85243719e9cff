/* A program with a tool of its own. "finalize": the tool goes while the program goes on, and hears
 * the end of every thread first, on the thread itself. "inside": it goes in a region. "fork": the
 * child has the tool as it was, with the forking thread alone. */
#include "../conformance/check.h"
#include "../tools/start.h"
#include <sys/wait.h>
#include <unistd.h>

static struct {
    int begun, ended, strangers, initial_ended, regions, finalized;
} seen;
static ompt_finalize_tool_t finalize_tool;
static ompt_set_callback_t set_callback;
static __thread int here;
static int result_to = -1;

static void add(int *count) { __atomic_add_fetch(count, 1, __ATOMIC_SEQ_CST); }
static int now(int *count) { return __atomic_load_n(count, __ATOMIC_SEQ_CST); }

static void on_thread_begin(ompt_thread_t type, ompt_data_t *thread)
{
    (void)type;
    thread->ptr = &here;
    add(&seen.begun);
}

static void on_thread_end(ompt_data_t *thread)
{
    if (thread->ptr != &here)
        add(&seen.strangers);
    if (now(&seen.finalized))
        add(&seen.strangers);
    add(&seen.ended);
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *region, ompt_data_t *task,
                             unsigned parallelism, unsigned index, int flags)
{
    (void)region, (void)task, (void)parallelism, (void)index;
    if (endpoint == ompt_scope_end && flags & ompt_task_initial)
        add(&seen.initial_ended);
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region,
                              unsigned requested, int flags, const void *codeptr)
{
    (void)task, (void)frame, (void)region, (void)requested, (void)flags, (void)codeptr;
    add(&seen.regions);
}

static void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *region,
                    ompt_data_t *task, uint64_t count, const void *codeptr)
{
    (void)kind, (void)endpoint, (void)region, (void)task, (void)count, (void)codeptr;
}

/* For events that this program does not have. */
static void on_target(void) { add(&seen.strangers); }

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    (void)device, (void)data;
    set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    finalize_tool = (ompt_finalize_tool_t)lookup("ompt_finalize_tool");
    set_callback(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
    set_callback(ompt_callback_thread_end, (ompt_callback_t)on_thread_end);
    set_callback(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
    set_callback(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
    /* Static loops are in line with GCC, of `scope` Clang says nothing. */
    CHECK_EQ(set_callback(ompt_callback_work, (ompt_callback_t)on_work), ompt_set_sometimes);
    /* Of target constructs Clang calls the region in line, GCC calls the runtime. */
#ifdef __clang__
    int of_targets = ompt_set_sometimes;
#else
    int of_targets = ompt_set_always;
#endif
    static const ompt_callbacks_t targets[] = {ompt_callback_target, ompt_callback_target_emi,
                                               ompt_callback_target_data_op,
                                               ompt_callback_target_data_op_emi};
    for (int i = 0; i < 4; i++)
        CHECK_EQ(set_callback(targets[i], (ompt_callback_t)on_target), of_targets);
    return 1;
}

static void finalize(ompt_data_t *data)
{
    (void)data;
    add(&seen.finalized);
    if (result_to >= 0 && write(result_to, &seen, sizeof seen) != sizeof seen)
        _exit(3);
}

START_TOOL(initialize, finalize)

static void region(int threads, int expected)
{
    int sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
    sum += omp_get_thread_num() + 1;
    CHECK_EQ(sum, expected);
}

static void goes(void)
{
    region(4, 10);
    CHECK_EQ(now(&seen.begun), 4);
    finalize_tool();
    CHECK_EQ(seen.finalized, 1);
    CHECK_EQ(seen.ended, 4);
    CHECK_EQ(seen.strangers, 0);
    CHECK_EQ(seen.initial_ended, 1);
    CHECK_EQ(set_callback(ompt_callback_thread_end, (ompt_callback_t)on_thread_end),
             ompt_set_error);
    region(4, 10);
    region(6, 21);
    CHECK_EQ(seen.begun, 4);
    CHECK_EQ(seen.ended, 4);
    CHECK_EQ(seen.regions, 1);
}

static void goes_inside(void)
{
    int sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
    {
#pragma omp single
        finalize_tool();
        sum++;
    }
    CHECK_EQ(sum, 4);
    CHECK_EQ(seen.finalized, 1);
    CHECK_EQ(seen.ended, 0);
    region(5, 15);
    CHECK_EQ(seen.regions, 1);
}

static void forks(void)
{
    int ends[2];
    region(4, 10);
    CHECK_EQ(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        CHECK_EQ(now(&seen.begun), 4);
        region(3, 6);
        CHECK_EQ(now(&seen.begun), 6);
        result_to = ends[1];
        exit(check_failures != 0);
    }
    close(ends[1]);
    int status = -1;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    __typeof__(seen) childs;
    memset(&childs, 0, sizeof childs);
    CHECK_EQ(read(ends[0], &childs, sizeof childs), sizeof childs);
    /* Its own three threads ended; those that it never had did not. */
    CHECK_EQ(childs.begun, 6);
    CHECK_EQ(childs.ended, 3);
    CHECK_EQ(childs.strangers, 0);
    CHECK_EQ(childs.regions, 2);
    CHECK_EQ(childs.finalized, 1);
    region(4, 10);
    CHECK_EQ(now(&seen.begun), 4);
    CHECK_EQ(now(&seen.ended), 0);
    CHECK_EQ(now(&seen.regions), 2);
    CHECK_EQ(now(&seen.finalized), 0);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    omp_set_dynamic(0);
    omp_get_max_threads();
    region(1, 1);
    seen.regions = 0;
    if (!strcmp(what, "finalize"))
        goes();
    else if (!strcmp(what, "inside"))
        goes_inside();
    else if (!strcmp(what, "fork"))
        forks();
    else
        CHECK(!"a word that says what to do");
    return check_done();
}
