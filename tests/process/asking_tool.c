/* A tool that calls the program's routines in its callbacks, on whatever thread and at whatever
 * time: a worker that has been in no region yet is number 0 of a team of one, outside of every
 * region. A signal handler of the program's may ask the same on it. */
#include "../conformance/check.h"
#include "../tools/start.h"
#include <pthread.h>
#include <signal.h>

static omp_lock_t lock;
static omp_nest_lock_t nest_lock;
static int fresh, ends, asked, handled, holders, inside, most;

static void add(int *count) { __atomic_add_fetch(count, 1, __ATOMIC_SEQ_CST); }

/* What holds anywhere. */
static void ask(void)
{
    int number = omp_get_thread_num(), size = omp_get_num_threads();
    CHECK(number >= 0 && number < size);
    CHECK(omp_get_level() >= omp_get_active_level());
    CHECK_EQ(omp_get_ancestor_thread_num(omp_get_level()), number);
    CHECK_EQ(omp_get_team_size(omp_get_level()), size);
    CHECK_EQ(omp_get_ancestor_thread_num(99), -1);
    CHECK_EQ(omp_get_num_teams(), 1);
    CHECK_EQ(omp_get_team_num(), 0);
    CHECK(omp_get_max_threads() >= 1 && omp_get_thread_limit() >= 1 && omp_get_num_procs() >= 1);
    CHECK(omp_get_max_active_levels() >= 1 && omp_get_supported_active_levels() >= 1);
    CHECK_EQ(omp_get_dynamic(), 0);
    CHECK_EQ(omp_get_cancellation(), 0);
    CHECK_EQ(omp_is_initial_device(), 1);
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ(kind & 0x7fffffff, omp_sched_static);
    CHECK(omp_get_num_places() >= 0 && omp_get_place_num() >= -1);
    CHECK(omp_get_partition_num_places() >= 0);
    char text[256];
    CHECK(omp_capture_affinity(text, sizeof text, "%n") > 0);
    CHECK_EQ(atoi(text), number);
    void *memory = omp_alloc(100, omp_default_mem_alloc);
    CHECK(memory != NULL);
    omp_free(memory, omp_default_mem_alloc);
    add(&asked);
}

/* Beneath and above what a region says. */
static void outside(void)
{
    ask();
    CHECK_EQ(omp_get_thread_num(), 0);
    CHECK_EQ(omp_get_num_threads(), 1);
    CHECK_EQ(omp_get_level(), 0);
    CHECK_EQ(omp_in_parallel(), 0);
    CHECK_EQ(omp_in_final(), 0);
    CHECK_EQ(omp_get_max_threads(), most);
}

static void handle(int signal)
{
    (void)signal;
    CHECK_EQ(omp_get_thread_num(), 0);
    CHECK_EQ(omp_get_num_threads(), 1);
    CHECK_EQ(omp_in_parallel(), 0);
    CHECK_EQ(omp_get_level(), 0);
    CHECK_EQ(omp_get_max_threads(), most);
    add(&handled);
}

static void take(void)
{
    omp_set_lock(&lock);
    omp_set_nest_lock(&nest_lock);
    CHECK_EQ(omp_test_nest_lock(&nest_lock), 2);
    CHECK_EQ(++holders, 1);
    holders--;
    omp_unset_nest_lock(&nest_lock);
    omp_unset_nest_lock(&nest_lock);
    omp_unset_lock(&lock);
#pragma omp critical(asking)
    {
        CHECK_EQ(++inside, 1);
        inside--;
    }
}

static void on_thread_begin(ompt_thread_t type, ompt_data_t *thread)
{
    (void)thread;
    if (type != ompt_thread_worker)
        return;
    outside();
    take();
    /* It has no task whose value that could be. */
    omp_set_num_threads(most + 5);
    omp_set_schedule(omp_sched_guided, 7);
    outside();
    pthread_kill(pthread_self(), SIGUSR1);
    add(&fresh);
}

static void on_thread_end(ompt_data_t *thread)
{
    (void)thread;
    ask();
    take();
    add(&ends);
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *region, ompt_data_t *task,
                             unsigned parallelism, unsigned index, int flags)
{
    (void)region, (void)task;
    if (flags & ompt_task_initial)
        return;
    ask();
    if (endpoint == ompt_scope_begin) {
        CHECK_EQ(omp_get_thread_num(), index);
        CHECK_EQ(omp_get_num_threads(), parallelism);
        CHECK_EQ(omp_get_max_threads(), most);
    }
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region,
                              unsigned requested, int flags, const void *codeptr)
{
    (void)task, (void)frame, (void)region, (void)requested, (void)flags, (void)codeptr;
    ask();
    take();
}

static void on_parallel_end(ompt_data_t *region, ompt_data_t *task, int flags, const void *codeptr)
{
    (void)region, (void)task, (void)flags, (void)codeptr;
    ask();
    take();
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
    (void)prior, (void)status, (void)next;
    ask();
    take();
}

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                           ompt_data_t *region, ompt_data_t *task, const void *codeptr)
{
    (void)kind, (void)endpoint, (void)region, (void)task, (void)codeptr;
    ask();
    take();
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    (void)device, (void)data;
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    set(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
    set(ompt_callback_thread_end, (ompt_callback_t)on_thread_end);
    set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
    set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
    set(ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end);
    set(ompt_callback_task_schedule, (ompt_callback_t)on_task_schedule);
    set(ompt_callback_sync_region, (ompt_callback_t)on_sync_region);
    set(ompt_callback_sync_region_wait, (ompt_callback_t)on_sync_region);
    most = omp_get_max_threads();
    signal(SIGUSR1, handle);
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest_lock);
    return 1;
}

static void finalize(ompt_data_t *data)
{
    (void)data;
    if (check_failures)
        _Exit(1);
}

START_TOOL(initialize, finalize)

int main(void)
{
    int sum = 0;
    omp_set_max_active_levels(2);
    for (int turn = 0; turn < 3; turn++) {
#pragma omp parallel num_threads(4) reduction(+ : sum)
        {
#pragma omp for schedule(dynamic, 1)
            for (int i = 0; i < 16; i++)
                sum++;
#pragma omp single
            for (int i = 0; i < 8; i++) {
#pragma omp task
                ask();
            }
#pragma omp parallel num_threads(2) reduction(+ : sum)
            sum++;
        }
    }
    CHECK_EQ(sum, 3 * (16 + 8));
    CHECK_EQ(fresh, 3 + 4);
    CHECK_EQ(handled, fresh);
    CHECK(asked > 100);
    return check_done();
}
