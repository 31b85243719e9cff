/* The main thread ends by pthread_exit, the program's other threads return: with the last of them
 * the process ends, with status 0, handlers of exit run and tools finalized, whatever workers wait
 * for. The first argument says who does what; "kept": of the workers of threads that ended, as many
 * stay as a region gets. */
#include "../conformance/check.h"
#include "../tools/start.h"
#include <dirent.h>
#include <omp.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

static int begun, ended;
static pthread_barrier_t meet;

static void on_thread_begin(ompt_thread_t kind, ompt_data_t *thread)
{
    (void)kind, (void)thread;
    __atomic_add_fetch(&begun, 1, __ATOMIC_SEQ_CST);
}
static void on_thread_end(ompt_data_t *thread)
{
    (void)thread;
    __atomic_add_fetch(&ended, 1, __ATOMIC_SEQ_CST);
}
static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    (void)device, (void)data;
    set(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
    set(ompt_callback_thread_end, (ompt_callback_t)on_thread_end);
    return 1;
}
/* Handlers of exit, which say "ok" themselves, come first. */
static void finalize(ompt_data_t *data)
{
    (void)data;
    if (begun == 0 || begun != ended)
        printf("%d threads have begun, %d have ended\n", begun, ended);
    fflush(stdout);
}
START_TOOL(initialize, finalize)

static void at_exit(void)
{
    puts("ok");
    fflush(stdout);
}

static void region(int threads)
{
    int sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
    {
        sum++;
#pragma omp barrier
#pragma omp single
        for (int i = 0; i < 4; i++)
#pragma omp task
            __asm__ volatile("");
    }
    if (sum != threads)
        _exit(3);
}

static void nested(void)
{
    omp_set_max_active_levels(3);
#pragma omp parallel num_threads(3)
    {
#pragma omp parallel num_threads(2)
        {
#pragma omp barrier
        }
    }
}

static void *silent(void *argument)
{
    usleep(20000);
    return argument;
}

static void *regions(void *argument)
{
    usleep((intptr_t)argument * 1000);
    region(3);
    region(5);
    return 0;
}

static void *nests(void *argument)
{
    nested();
    usleep(10000);
    return argument;
}

static void *exits(void *argument)
{
    region(2);
    pthread_exit(argument);
}

static void *with_team(void *argument)
{
    region(6);
    pthread_barrier_wait(&meet);
    return argument;
}

static void begin(void *(*run)(void *), int argument)
{
    pthread_t thread;
    if (pthread_create(&thread, 0, run, (void *)(intptr_t)argument) != 0)
        _exit(4);
    pthread_detach(thread);
}

static int threads_now(void)
{
    DIR *tasks = opendir("/proc/self/task");
    int count = -2;
    while (readdir(tasks))
        count++;
    closedir(tasks);
    return count;
}

static int kept(void)
{
    int most = omp_get_num_procs() > 3 ? omp_get_num_procs() : 3;
    omp_set_num_threads(3);
    pthread_barrier_init(&meet, 0, 9);
    for (int i = 0; i < 8; i++)
        begin(with_team, i);
    /* All of them have their teams at once. */
    pthread_barrier_wait(&meet);
    for (int i = 0; i < 20000 && threads_now() > most; i++)
        usleep(1000);
    CHECK(threads_now() <= most);
    region(4);
    return check_done();
}

int main(int count, char **arguments)
{
    const char *how = count > 1 ? arguments[1] : "last";
    if (!strcmp(how, "kept"))
        return kept();
    atexit(at_exit);
    if (!strcmp(how, "last")) {
        region(4);
        begin(silent, 0);
    } else if (!strcmp(how, "unmet")) {
        begin(regions, 5);
    } else if (!strcmp(how, "regions")) {
        region(4);
        begin(regions, 5);
        begin(exits, 0);
        begin(silent, 0);
    } else if (!strcmp(how, "nested")) {
        nested();
        begin(nests, 0);
        begin(regions, 0);
    } else if (!strcmp(how, "alone")) {
        region(3);
    } else if (!strcmp(how, "helpers")) {
        int value = 0;
#pragma omp target nowait map(tofrom : value)
        {
            usleep(10000);
            value = 1;
        }
#pragma omp taskwait
        if (value != 1)
            _exit(5);
        begin(regions, 1);
    }
    pthread_exit(0);
}
