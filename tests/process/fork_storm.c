/* Forks at random moments while other threads use everything of the runtime that one lock guards
 * for the whole process: no child hangs. The program has a tool of OMPT 5 and a client of the
 * Collector API; built with -DOLDER this is a library with a tool of 2016. First argument: how
 * often to fork (30). The second, "limit": forks inside regions instead, where the child's inner
 * region gets its threads whatever those of the parent had of the limit. */
#ifdef OLDER
#include "ompt-2016.h"

static void on_event(void) {}

static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    (void)runtime, (void)version;
    for (int event = 1; event < 20; event++)
        set((ompt_event_t)event, (ompt_callback_t)on_event);
}

ompt_initialize_fn_t *ompt_tool(void) { return initialize; }
#else
#define _GNU_SOURCE
#include "../conformance/check.h"
#include "../tools/start.h"
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern int __omp_collector_api(void *) __attribute__((weak));
extern void GOMP_add_alloc(void *) __attribute__((weak));
extern _Bool GOMP_is_alloc(void *) __attribute__((weak));

static ompt_set_callback_t set_callback;
static int over;

static void on_event(void) {}
static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    (void)device, (void)data;
    set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    set_callback(ompt_callback_thread_begin, (ompt_callback_t)on_event);
    set_callback(ompt_callback_parallel_begin, (ompt_callback_t)on_event);
    return 1;
}
static void finalize(ompt_data_t *data) { (void)data; }
START_TOOL(initialize, finalize)

static void request(int kind, int event, void *function)
{
    /* Size, request, error, room for the answer, then the memory: an event and, not padded, a
     * function. */
    int message[8] = {28, kind, 0, 0, event};
    memcpy(message + 5, &function, sizeof function);
    if (__omp_collector_api)
        __omp_collector_api(message);
}

static void region(int threads)
{
    static long double sum;
    int tasks = 0;
#pragma omp parallel num_threads(threads) shared(tasks)
    {
#pragma omp single
        for (int i = 0; i < 4; i++)
#pragma omp task shared(tasks)
        {
#pragma omp atomic
            tasks++;
        }
#pragma omp atomic
        sum += 1;
    }
    if (tasks != 4)
        _exit(4);
}

static void *ends(void *argument)
{
    region(2);
    return argument;
}

enum { KINDS = 8 };

static void act(int kind)
{
    static __thread char block;
    char text[64];
    pthread_t thread;
    void *library;
    switch (kind) {
    case 0:
        set_callback(ompt_callback_work, (ompt_callback_t)on_event);
        set_callback(ompt_callback_work, 0);
        break;
    case 1:
        request(1, 1, (void *)on_event);
        request(7, 0, 0);
        request(8, 0, 0);
        request(2, 1, 0);
        break;
    case 2:
        omp_set_affinity_format("%n of %N");
        omp_get_affinity_format(text, sizeof text);
        break;
    case 3:
        if (GOMP_add_alloc) {
            GOMP_add_alloc(&block);
            GOMP_is_alloc(&block);
        }
        omp_free(omp_alloc(32, omp_default_mem_alloc), omp_default_mem_alloc);
        break;
    case 4:
        if (pthread_create(&thread, 0, ends, 0) == 0)
            pthread_join(thread, 0);
        break;
    case 5:
        region(3);
        break;
    case 6:
        region(1);
        break;
    case 7:
        if ((library = dlopen("libm.so.6", RTLD_NOW)) != 0)
            dlclose(library);
        break;
    }
}

static void *acts(void *kind)
{
    while (!__atomic_load_n(&over, __ATOMIC_SEQ_CST)) {
        act((int)(intptr_t)kind);
        usleep(rand() % 20);
    }
    return kind;
}

static int hung, forks;

static void child_acts(void)
{
    alarm(50);
    /* Not the loader: its locks are the C library's matter. */
    for (int kind = 0; kind < KINDS - 1; kind++)
        act(kind);
    _exit(0);
}

static void forks_once(void)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0)
        child_acts();
    while (waitpid(child, &status, 0) != child)
        ;
    forks++;
    hung += status != 0;
}

static void on_signal(int number)
{
    (void)number;
    forks_once();
}

static int under_limit(void)
{
    for (int from = 0; from < 2; from++) {
        int status = -1;
#pragma omp parallel num_threads(4)
        if (omp_get_thread_num() == 0) {
            CHECK_EQ(omp_get_num_threads(), 4);
            pid_t child = fork();
            if (child == 0) {
                int threads = 0;
                alarm(50);
                omp_set_max_active_levels(3);
#pragma omp parallel num_threads(3)
#pragma omp single
                threads = omp_get_num_threads();
#pragma omp parallel num_threads(4)
#pragma omp single
                threads = threads * 10 + omp_get_num_threads();
                _exit(threads);
            }
            waitpid(child, &status, 0);
        }
        CHECK(WIFEXITED(status));
        CHECK_EQ(WEXITSTATUS(status), 34);
    }
    return check_done();
}

int main(int count, char **arguments)
{
    int wanted = count > 1 ? atoi(arguments[1]) : 30;
    pthread_t threads[KINDS];
    if (count > 2)
        return under_limit();
    region(3);
    CHECK(set_callback != 0);
    request(0, 0, 0);
    signal(SIGUSR1, on_signal);
    for (int kind = 0; kind < KINDS; kind++)
        pthread_create(&threads[kind], 0, acts, (void *)(intptr_t)kind);
    for (int i = 0; i < wanted; i++) {
        usleep(rand() % 500);
        switch (i % 3) {
        case 0:
            forks_once();
            break;
        case 1:
#pragma omp parallel num_threads(2)
            if (omp_get_thread_num() == 0)
                forks_once();
            break;
        default:
            raise(SIGUSR1);
        }
    }
    __atomic_store_n(&over, 1, __ATOMIC_SEQ_CST);
    for (int kind = 0; kind < KINDS; kind++)
        pthread_join(threads[kind], 0);
    CHECK_EQ(forks, wanted);
    CHECK_EQ(hung, 0);
    return check_done();
}
#endif
