/* A task that lies in a queue becomes needed while the thread that needs it sleeps: the body of a
 * transparent task ends, and a child of a later sibling turns out to wait for a grandchild. The
 * sleeper executes it at once; the thread that ended the body goes on with its own work
 * meanwhile. */
/* @compilers: clang — the flag is in that interface only */
/* @distrust: clang — LLVM's runtime accepts the flag and orders nothing */
/* @threads: 2 */
#include "check.h"
#include "transparent.h"
#include <unistd.h>

static int first, written, gate;
static volatile int sleeper_begins, reader_done;

static void set(long address, long value)
{
    *(int *)address = (int)value;
}

static void read_written(long a, long b)
{
    (void)a, (void)b;
    CHECK_EQ(written, 7);
    __atomic_store_n(&reader_done, 1, __ATOMIC_RELEASE);
}

/* Makes a task that writes, and ends when the other thread sleeps for certain. */
static void first_body(long a, long b)
{
    (void)a, (void)b;
    make_on(TIED, INOUT, &written, set, (long)&written, 7);
    usleep(300 * 1000);
}

/* Its child waits at the exit of the task above, then for the writer. */
static void second_body(long a, long b)
{
    (void)a, (void)b;
    __atomic_store_n(&sleeper_begins, 1, __ATOMIC_RELEASE);
    make_on(TIED, IN, &written, read_written, 0, 0);
#pragma omp taskwait
}

static int wait_until(volatile int *word, int seconds)
{
    double end = omp_get_wtime() + seconds;
    while (!__atomic_load_n(word, __ATOMIC_ACQUIRE) && omp_get_wtime() < end)
        ;
    return *word;
}

static void maker(long a, long b)
{
    (void)a, (void)b;
    omp_event_handle_t event = 0;
#pragma omp task detach(event) depend(out : gate)
    ;
    int gtid = __kmpc_global_thread_num(NULL);
    struct depend list[2] = {{(uintptr_t)&gate, 1, IN}, {(uintptr_t)&first, 1, INOUT}};
    __kmpc_omp_task_with_deps(NULL, gtid, allocate(TIED | TRANSPARENT, first_body, 0, 0), 2, list,
                              0, NULL);
    __kmpc_omp_task(NULL, gtid, allocate(TIED | TRANSPARENT, second_body, 0, 0));
    CHECK(wait_until(&sleeper_begins, 60));
    usleep(300 * 1000);
    omp_fulfill_event(event);
#pragma omp taskyield
    CHECK(wait_until(&reader_done, 20));
}

int main(void)
{
    omp_set_dynamic(0);
#pragma omp parallel num_threads(2)
#pragma omp single
    __kmpc_omp_task(NULL, __kmpc_global_thread_num(NULL), allocate(TIED, maker, 0, 0));
    return check_done();
}
