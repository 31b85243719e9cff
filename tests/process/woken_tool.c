/* A lock's release is told before the thread that sleeps for it is woken: that one may take the
 * owner's processor, and the lock would seem to be held all the while. */
#include "../conformance/check.h"
#include "../tools/start.h"
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static omp_lock_t lock;
static omp_nest_lock_t nest_lock;
static int sleeper;       /* the thread that comes second, by the kernel's number */
static int acquired;      /* how often a lock was told to be acquired */
static int acquired_then; /* the same when its release had been told for a while */

static int now(int *word) { return __atomic_load_n(word, __ATOMIC_SEQ_CST); }

static void on_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *codeptr)
{
    (void)kind, (void)id, (void)codeptr;
    __atomic_add_fetch(&acquired, 1, __ATOMIC_SEQ_CST);
}

static void on_released(ompt_mutex_t kind, ompt_wait_id_t id, const void *codeptr)
{
    (void)kind, (void)id, (void)codeptr;
    if (now(&acquired) == 1) {
        usleep(100000);
        acquired_then = now(&acquired);
    }
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    (void)device, (void)data;
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    set(ompt_callback_mutex_acquired, (ompt_callback_t)on_acquired);
    set(ompt_callback_mutex_released, (ompt_callback_t)on_released);
    return 1;
}

static void finalize(ompt_data_t *data) { (void)data; }

START_TOOL(initialize, finalize)

/* Whether the other thread sleeps, 20 looks long. */
static int sleeps(void)
{
    char path[64], text[256];
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", now(&sleeper));
    for (int look = 0; look < 20; look++) {
        FILE *file = fopen(path, "r");
        size_t got = file ? fread(text, 1, sizeof text - 1, file) : 0;
        if (file)
            fclose(file);
        text[got] = 0;
        char *end = strrchr(text, ')');
        if (!end || end[2] != 'S')
            return 0;
        usleep(1000);
    }
    return 1;
}

static void set(int kind)
{
    if (kind)
        omp_set_nest_lock(&nest_lock);
    else
        omp_set_lock(&lock);
}

static void unset(int kind)
{
    if (kind)
        omp_unset_nest_lock(&nest_lock);
    else
        omp_unset_lock(&lock);
}

static void meet(int kind)
{
    acquired = acquired_then = sleeper = 0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            set(kind);
            while (!now(&sleeper) || !sleeps())
                usleep(1000);
            unset(kind);
        } else {
            while (!now(&acquired))
                usleep(100);
            __atomic_store_n(&sleeper, (int)syscall(SYS_gettid), __ATOMIC_SEQ_CST);
            set(kind);
            unset(kind);
        }
    }
    CHECK_EQ(acquired, 2);
    CHECK_EQ(acquired_then, 1);
}

int main(void)
{
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest_lock);
    for (int round = 0; round < 3; round++) {
        meet(0);
        meet(1);
    }
    return check_done();
}
