/* A process forks while another thread tells a tool that the devices begin. The child, which does
 * not have that thread, does not wait for it: each of its constructs would wait for ten seconds. */
#include "../conformance/check.h"
#include "../tools/start.h"
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static int telling, forked;

static void set(int *flag) { __atomic_store_n(flag, 1, __ATOMIC_RELEASE); }

static void wait_for(int *flag)
{
    while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE))
        usleep(100);
}

static void on_device_initialize(int device, const char *type, ompt_device_t *handle,
                                 ompt_function_lookup_t lookup, const char *documentation)
{
    (void)device, (void)type, (void)handle, (void)lookup, (void)documentation;
    set(&telling);
    wait_for(&forked);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    (void)device, (void)data;
    ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    set_callback(ompt_callback_device_initialize, (ompt_callback_t)on_device_initialize);
    return 1;
}
static void finalize(ompt_data_t *data) { (void)data; }
START_TOOL(initialize, finalize)

static void *construct(void *unused)
{
    int on_device = 0;
#pragma omp target map(tofrom : on_device)
    on_device = !omp_is_initial_device();
    CHECK_EQ(on_device, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    omp_get_max_threads();
    CHECK_EQ(pthread_create(&thread, NULL, construct, NULL), 0);
    wait_for(&telling);
    pid_t child = fork();
    if (child == 0) {
        /* Longer than any test may take, if each waits. */
        for (int i = 0; i < 12; i++)
            construct(NULL);
        _exit(check_failures != 0);
    }
    set(&forked);
    pthread_join(thread, NULL);
    int status = -1;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    return check_done();
}
