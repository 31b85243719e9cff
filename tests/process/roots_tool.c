/* A thread comes while another one starts the program's tool: the tool hears of both from their
 * begin. */
#include "../conformance/check.h"
#include "../tools/start.h"
#include <pthread.h>
#include <unistd.h>

static volatile int starts, comes;
static __thread int begun, tasks;

static void on_thread_begin(ompt_thread_t type, ompt_data_t *thread)
{
    begun += type == ompt_thread_initial;
    thread->value = 1;
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *region, ompt_data_t *task,
                             unsigned parallelism, unsigned index, int flags)
{
    (void)region, (void)task, (void)parallelism, (void)index;
    tasks += endpoint == ompt_scope_begin && flags & ompt_task_initial;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    (void)device, (void)data;
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    starts = 1;
    while (!comes)
        usleep(100);
    /* Time for it to come by, if nothing held it. */
    usleep(20000);
    /* The initialiser may call routines itself. */
    CHECK_EQ(omp_get_num_threads(), 1);
    set(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
    set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
    return 1;
}

static void finalize(ompt_data_t *data) { (void)data; }

START_TOOL(initialize, finalize)

/* Apart: compilers call the runtime where a function with a region begins. */
__attribute__((noinline)) static void contact(void)
{
    CHECK_EQ(omp_get_num_threads(), 1);
    CHECK_EQ(begun, 1);
    CHECK_EQ(tasks, 1);
#pragma omp parallel num_threads(2)
    CHECK_EQ(omp_get_num_threads(), 2);
}

static void *body(void *second)
{
    if (second) {
        while (!starts)
            usleep(100);
        comes = 1;
    }
    contact();
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, body, 0);
    pthread_create(&second, 0, body, &second);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return check_done();
}
