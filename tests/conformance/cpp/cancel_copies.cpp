// cancel taskgroup: objects that were copied for a task that never gets to run are destroyed all
// the same, whatever kind of task it is.
//
// @env: OMP_CANCELLATION=true
// @distrust: clang++ — libomp at times leaves copies alone, and at times hangs
#include "check.h"

static int alive;

struct Counted {
    Counted() { count(1); }
    Counted(const Counted &) { count(1); }
    ~Counted() { count(-1); }
    static void count(int by) { __atomic_fetch_add(&alive, by, __ATOMIC_SEQ_CST); }
};

enum { TASKS = 50 };

static int tasks(Counted one)
{
    int executed = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
    for (int i = 0; i < TASKS; i++)
#pragma omp task firstprivate(one) shared(executed)
    {
#pragma omp cancellation point taskgroup
#pragma omp atomic
        executed++;
#pragma omp cancel taskgroup if (i > 5)
    }
    return executed;
}

static int untied_tasks(Counted one)
{
    int executed = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
    for (int i = 0; i < TASKS; i++)
#pragma omp task untied firstprivate(one) shared(executed)
    {
#pragma omp atomic
        executed++;
#pragma omp cancel taskgroup if (i > 5)
    }
    return executed;
}

/* The first one cancels while the others wait for it. */
static int chain(Counted one)
{
    int executed = 0, link = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
    for (int i = 0; i < TASKS; i++)
#pragma omp task firstprivate(one) shared(executed) depend(inout : link)
    {
#pragma omp atomic
        executed++;
#pragma omp cancel taskgroup
    }
    return executed;
}

/* Tasks of tasks, in groups of their own and in that of their parents. */
static int nested(Counted one)
{
    int executed = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
    for (int i = 0; i < TASKS; i++)
#pragma omp task firstprivate(one) shared(executed)
    {
#pragma omp task firstprivate(one)
        Counted another(one);
#pragma omp taskgroup
        {
#pragma omp task firstprivate(one) shared(executed)
            {
                Counted another(one);
#pragma omp atomic
                executed++;
#pragma omp cancel taskgroup if (i % 3 == 0)
            }
#pragma omp task firstprivate(one)
            Counted another(one);
        }
#pragma omp cancel taskgroup if (i > 5)
    }
    return executed;
}

static int loop(Counted one)
{
    int executed = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1) firstprivate(one) shared(executed)
    for (int i = 0; i < TASKS; i++) {
#pragma omp atomic
        executed++;
#pragma omp cancel taskgroup if (i > 5)
    }
    return executed;
}

int main()
{
    static int (*const kinds[])(Counted) = {tasks, untied_tasks, chain, nested, loop};
    for (auto kind : kinds) {
        int executed;
        {
            Counted one;
            executed = kind(one);
        }
        CHECK_EQ(alive, 0);
        CHECK(executed >= 1 && executed <= TASKS);
        alive = 0;
    }
    return check_done();
}
