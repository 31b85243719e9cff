/* A thread that waits for a lock, a nest lock or a critical section says so, and for which. */
/* @threads: 2 4 */
/* @flags: -rdynamic */
/* @distrust: gcc — its runtime has no tool interface */
/* @distrust: clang — libomp 19 names the state but not always the object */
#define _GNU_SOURCE
#include "check.h"
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

/* What is needed of omp-tools.h, which not every compiler brings. */
typedef void (*function_t)(void);
typedef function_t (*lookup_t)(const char *);
typedef int (*get_state_t)(unsigned long *);
typedef struct {
    int (*initialize)(lookup_t, int, void *);
    void (*finalize)(void *);
    void *data;
} start_result_t;
enum { WORK_PARALLEL = 0x001, WAIT_LOCK = 0x041, WAIT_CRITICAL = 0x042 };

static get_state_t get_state;
static volatile int seen_state;
static volatile unsigned long seen_wait;
static volatile unsigned seen;

static int initialize(lookup_t lookup, int device, void *data)
{
    (void)device, (void)data;
    get_state = (get_state_t)lookup("ompt_get_state");
    return 1;
}

static void finalize(void *data)
{
    (void)data;
}

start_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static start_result_t result = {initialize, finalize, 0};
    (void)version, (void)runtime;
    return &result;
}

static void look(int signal)
{
    unsigned long wait = 0;
    (void)signal;
    seen_state = get_state(&wait);
    seen_wait = wait;
    seen++;
}

static pthread_t waiter;

/* Asks the waiting thread until it is in the state, for ten seconds at most. */
static void expect(int state, const void *object)
{
    time_t end = time(0) + 10;
    do {
        unsigned before = seen;
        pthread_kill(waiter, SIGUSR1);
        while (seen == before)
            usleep(50);
    } while (seen_state != state && time(0) < end);
    CHECK_EQ(seen_state, state);
    if (object)
        CHECK_EQ(seen_wait, (unsigned long)object);
}

int main(void)
{
    omp_lock_t lock;
    omp_nest_lock_t nest;
    long x = 0;
    signal(SIGUSR1, look);
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
    CHECK(get_state != 0);
    if (!get_state)
        return check_done();
#pragma omp parallel num_threads(2)
    {
        int me = omp_get_thread_num();
        if (me)
            waiter = pthread_self();
        else
            omp_set_lock(&lock);
#pragma omp barrier
        if (me) {
            omp_set_lock(&lock);
            omp_unset_lock(&lock);
        } else {
            expect(WAIT_LOCK, &lock);
            omp_unset_lock(&lock);
            omp_set_nest_lock(&nest);
        }
#pragma omp barrier
        if (me) {
            omp_set_nest_lock(&nest);
            omp_unset_nest_lock(&nest);
        } else {
            expect(WAIT_LOCK, &nest);
            omp_unset_nest_lock(&nest);
        }
        static volatile int inside;
#pragma omp barrier
        if (me) {
            while (!inside)
                usleep(50);
#pragma omp critical(named)
            x++;
            unsigned long wait;
            CHECK_EQ(get_state(&wait), WORK_PARALLEL);
        } else {
#pragma omp critical(named)
            {
                inside = 1;
                expect(WAIT_CRITICAL, 0);
            }
        }
    }
    CHECK_EQ(x, 1);
    return check_done();
}
