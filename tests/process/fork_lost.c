/* fork() inside a region, while other threads of the region execute tasks of the forking one. In
 * the child nobody executes those. Whatever the child waits for ends: its taskwait, taskgroup,
 * dependences, barriers, turns and the end of its region. It executes the tasks that it has itself,
 * and waits for events that it can have fulfilled: as long as it makes no thread, there is none.
 * First the primary thread forks, then a worker; a worker's child ends at the end of its region,
 * with 0. */
#include "../conformance/check.h"
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TASKWAIT, GROUP, DEPEND, UNDEFERRED, OWN, EVENT, LOST, BARRIER, END, TURN, SINK, INNER };
enum { KINDS = INNER + 1 };
enum { RIGHT = 77 };
static int begun, go_on, fulfilled;
static pid_t parent;

/* What another thread executes. In the parent it ends after the fork. */
static void long_task(void)
{
    __atomic_add_fetch(&begun, 1, __ATOMIC_ACQ_REL);
    while (!__atomic_load_n(&go_on, __ATOMIC_ACQUIRE))
        usleep(100);
}

static void wait_for(int *flag, int value)
{
    while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) != value)
        usleep(100);
}

/* 1 in the child. The parent returns when the child is over, which must exit with `status`. */
static int forks(int kind, int who, int status)
{
    int got = -1;
    pid_t pid = fork();
    if (pid == 0) {
        alarm(20);
        return 1;
    }
    CHECK_EQ(waitpid(pid, &got, 0), pid);
    if (!WIFEXITED(got) || WEXITSTATUS(got) != status)
        printf("kind %d, thread %d: status %#x\n", kind, who, got);
    CHECK(WIFEXITED(got));
    CHECK_EQ(WEXITSTATUS(got), status);
    __atomic_store_n(&go_on, 1, __ATOMIC_RELEASE);
    return 0;
}

static void *fulfils(void *event)
{
    usleep(30000);
    __atomic_store_n(&fulfilled, 1, __ATOMIC_RELEASE);
    omp_fulfill_event(*(omp_event_handle_t *)event);
    return NULL;
}

static void in_task(int kind, int who)
{
    int x = 0, own = 0;
    omp_event_handle_t event = (omp_event_handle_t)0;
    pthread_t thread;
#pragma omp taskgroup
    {
        /* All other threads are busy. */
        for (int i = 0; i < 2; i++) {
#pragma omp task depend(in : x)
            long_task();
        }
        wait_for(&begun, 2);
        if (kind == OWN)
            for (int i = 0; i < 20; i++) {
#pragma omp task shared(own)
                __atomic_add_fetch(&own, 1, __ATOMIC_RELAXED);
            }
        if (kind == EVENT || kind == LOST) {
#pragma omp task detach(event)
            own = 1;
#pragma omp taskyield
        }
        if (forks(kind, who, RIGHT)) {
            if (kind == EVENT)
                CHECK_EQ(pthread_create(&thread, NULL, fulfils, &event), 0);
            if (kind == DEPEND) {
#pragma omp task shared(own) depend(out : x)
                own = 1;
#pragma omp taskwait depend(in : x)
            }
            if (kind == UNDEFERRED) {
#pragma omp task shared(own) depend(out : x) if (0)
                own = 2;
                CHECK_EQ(own, 2);
            }
            if (kind != GROUP) {
#pragma omp taskwait
            }
            if (kind == OWN)
                CHECK_EQ(own, 20);
            if (kind == EVENT)
                CHECK_EQ(__atomic_load_n(&fulfilled, __ATOMIC_ACQUIRE), 1);
            if (kind != GROUP)
                _exit(check_failures ? 1 : RIGHT);
        } else if (kind == EVENT || kind == LOST) {
            omp_fulfill_event(event);
        }
    }
    if (getpid() != parent)
        _exit(check_failures ? 1 : RIGHT);
}

static void forks_in_region(int kind, int who)
{
    int inner = 0;
#pragma omp task
    long_task();
    wait_for(&begun, 1);
    if (!forks(kind, who, kind == END && who != 0 ? 0 : RIGHT) || kind != INNER)
        return;
    /* Compilers take it for what it was before. */
    int (*volatile asked)(void) = omp_get_num_threads;
    CHECK_EQ(asked(), 1);
    asked = omp_get_thread_num;
    CHECK_EQ(asked(), 0);
    omp_set_max_active_levels(4);
#pragma omp parallel num_threads(3) reduction(+ : inner)
    for (int i = 0; i < 5; i++) {
#pragma omp barrier
#pragma omp task
        __asm__ volatile("");
        inner++;
    }
    CHECK_EQ(inner, 15);
}

static void in_region(int kind, int who)
{
    if (omp_get_thread_num() == who)
        forks_in_region(kind, who);
    if (kind == BARRIER || kind == INNER) {
#pragma omp barrier
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 10; i++)
            __asm__ volatile("");
    }
    if (getpid() != parent && kind != END)
        _exit(check_failures ? 1 : RIGHT);
}

/* Iterations that another thread has, and which come before those of the forking one. */
static void in_loop(int kind, int who)
{
    if (kind == TURN) {
#pragma omp for ordered schedule(static, 1)
        for (int i = 0; i < 6; i++) {
            int child = omp_get_thread_num() == who && i < 3 && forks(kind, who, RIGHT);
            if (getpid() == parent)
                wait_for(&go_on, 1);
#pragma omp ordered
            CHECK_EQ(child ? 1 : getpid() == parent, 1);
            if (child)
                _exit(check_failures ? 1 : RIGHT);
        }
    } else {
#pragma omp for ordered(1) schedule(static, 1)
        for (int i = 0; i < 6; i++) {
            int child = omp_get_thread_num() == who && i < 3 && forks(kind, who, RIGHT);
            if (getpid() == parent)
                wait_for(&go_on, 1);
#pragma omp ordered depend(sink : i - 1)
            if (child)
                _exit(check_failures ? 1 : RIGHT);
#pragma omp ordered depend(source)
        }
    }
}

#ifdef __clang__
/* A task of the forking thread is with a hidden helper, or with a free agent where there is one.
 * Another one waits for it, and a third for a helper. */
#include "../conformance/kmpc_task.h"
struct task {
    TASK_HEAD
};
static int executed, leaves;

static int execute_long(int gtid, struct task *task)
{
    (void)gtid, (void)task;
    long_task();
    return 0;
}

static int execute(int gtid, struct task *task)
{
    (void)gtid, (void)task;
    __atomic_add_fetch(&executed, 1, __ATOMIC_RELAXED);
    return 0;
}

/* Whoever executes it forks, and the child's thread has nowhere to go behind the task. */
static int execute_fork(int gtid, struct task *task)
{
    (void)gtid, (void)task;
    if (forks(KINDS + 2, 0, 0)) {
        int threads = 0;
#pragma omp parallel num_threads(2) reduction(+ : threads)
        threads++;
#pragma omp task shared(threads)
        threads++;
#pragma omp taskwait
        if (threads != 3)
            _exit(1);
    }
    return 0;
}

static void make(int of_pool, routine_t *routine)
{
    int gtid = __kmpc_global_thread_num(NULL);
    size_t size = sizeof(struct task);
    __kmpc_omp_task(NULL, gtid,
                    of_pool
                        ? __kmpc_omp_task_alloc(NULL, gtid, TIED | FREE_AGENT, size, 0, routine)
                        : __kmpc_omp_target_task_alloc(NULL, gtid, TIED, size, 0, routine, -1));
}

static void after_end(void)
{
    if (leaves && executed != 3)
        _exit(1);
}

/* `ends`: the child leaves the wait to its end. */
static void elsewhere(int of_pool, int ends)
{
    begun = go_on = executed = 0;
    make(of_pool, execute_long);
    wait_for(&begun, 1);
    if (forks(KINDS + of_pool, ends, RIGHT)) {
        for (int i = 0; i < 3; i++)
            make(of_pool, execute);
        leaves = ends;
        if (ends)
            exit(RIGHT);
#pragma omp taskwait
        _exit(executed == 3 ? RIGHT : 1);
    }
#pragma omp taskwait
}
#endif

int main(void)
{
    parent = getpid();
#ifdef __clang__
    atexit(after_end);
    for (int which = 0; which < 4; which++)
        elsewhere(which & 1, which / 2);
    for (int of_pool = 0; of_pool < 2; of_pool++) {
        go_on = 0;
        make(of_pool, execute_fork);
        wait_for(&go_on, 1);
#pragma omp taskwait
    }
#endif
    for (int kind = 0; kind < KINDS; kind++)
        for (int who = 0; who < 3; who++) {
            begun = go_on = 0;
#pragma omp parallel num_threads(3)
            {
                CHECK_EQ(omp_get_num_threads(), 3);
                if (kind == TURN || kind == SINK)
                    in_loop(kind, who);
                else if (kind >= BARRIER)
                    in_region(kind, who);
                else if (omp_get_thread_num() == who)
                    in_task(kind, who);
            }
            if (getpid() != parent)
                _exit(check_failures ? 1 : RIGHT);
        }
    return check_done();
}
