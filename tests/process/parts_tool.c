/* A part of an untied task that has queued the next one is on its way out while another thread
 * executes that: the exit frame stays what the next part's call made it. */
#include "../conformance/check.h"
#include "../conformance/kmpc_task.h"
#include "../tools/start.h"
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

struct task {
    TASK_HEAD
};
static int next_runs, looked;
static pthread_t first;
static ompt_get_task_info_t get_task_info;

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    (void)device, (void)data;
    get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    return 1;
}

static void finalize(ompt_data_t *data) { (void)data; }

START_TOOL(initialize, finalize)

static void set(int *flag) { __atomic_store_n(flag, 1, __ATOMIC_SEQ_CST); }
static void wait_for(int *flag)
{
    while (!__atomic_load_n(flag, __ATOMIC_SEQ_CST))
        sched_yield();
}

static void *exit_frame(void)
{
    ompt_frame_t *frame = NULL;
    int flags = 0;
    CHECK_EQ(get_task_info(0, &flags, NULL, &frame, NULL, NULL), 2);
    CHECK(flags & ompt_task_explicit);
    return frame->exit_frame.ptr;
}

static int parts(int gtid, struct task *task)
{
    if (task->part == 0) {
        task->part = 1;
        first = pthread_self();
        CHECK(exit_frame() != NULL);
        __kmpc_omp_task(NULL, gtid, task);
        wait_for(&next_runs);
        set(&looked);
        return 0;
    }
    CHECK(!pthread_equal(first, pthread_self()));
    void *own = exit_frame();
    CHECK(own != NULL);
    set(&next_runs);
    wait_for(&looked);
    for (int i = 0; i < 20; i++) { /* the first part returns */
        usleep(1000);
        CHECK(exit_frame() == own);
    }
    return 0;
}

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    { /* each of the two executes a part while it waits at the end */
        CHECK_EQ(omp_get_num_threads(), 2);
        int own = __kmpc_global_thread_num(NULL);
        __kmpc_omp_task(NULL, own,
                        __kmpc_omp_task_alloc(NULL, own, 0, sizeof(struct task), 0, parts));
    }
    return check_done();
}
