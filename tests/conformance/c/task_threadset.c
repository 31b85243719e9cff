/* Tasks that any thread of the pool may execute: recursion, dependences, groups, reductions,
 * taskloops, regions inside, cancellation, and what the task sees of its team. Before OpenMP 6.0
 * nobody knows the clause: there they are ordinary tasks. */
/* @env: OMP_THREADS_RESERVE=structured(1),free_agent(3) OMP_CANCELLATION=true */
/* @compilers: clang — GCC does not know the clause */
/* @distrust: clang — libomp 19 does not have the routines */
#include "newer.h"

#if _OPENMP >= 202411
#define POOL threadset(omp_pool)
#else
#define POOL priority(0)
#endif

NEWER(int, omp_is_free_agent, void);
NEWER(int, omp_ancestor_is_free_agent, int);

static int fib(int n)
{
    if (n < 2)
        return n;
    int a, b;
#pragma omp task shared(a) POOL
    a = fib(n - 1);
#pragma omp task shared(b) POOL
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

/* What a task sees: an agent has no number, everything else is as on a member of the team. */
static int wrong_view(int level, int size)
{
    int agent = newer_omp_is_free_agent();
    int num = omp_get_thread_num();
    return (agent ? num != -2 : num < 0 || num >= size) + (omp_get_num_threads() != size) +
           (omp_get_level() != level) + (omp_get_team_size(level) != size) +
           (omp_get_ancestor_thread_num(level) != num) +
           (newer_omp_ancestor_is_free_agent(level) != agent) +
           (newer_omp_ancestor_is_free_agent(level + 1) != 0) +
           (level > 0 && newer_omp_ancestor_is_free_agent(0));
}

static void all(int level, int size)
{
    int wrong = 0, chain = 0, order = 0, count = 0, inner = 0;
    long sum = 0;
    CHECK_EQ(fib(12), 144);

    for (int i = 0; i < 50; i++) {
#pragma omp task shared(wrong) POOL
        {
            int bad = wrong_view(level, size);
#pragma omp atomic
            wrong += bad;
        }
    }
#pragma omp taskwait
    CHECK_EQ(wrong, 0);

    for (int i = 0; i < 100; i++) {
#pragma omp task firstprivate(i) shared(order, wrong) depend(inout : chain) POOL
        wrong += order++ != i;
    }
#pragma omp task shared(order, wrong) depend(in : chain)
    wrong += order != 100;
#pragma omp taskwait
    CHECK_EQ(wrong, 0);

#pragma omp taskgroup
    for (int i = 0; i < 20; i++) {
#pragma omp task shared(count) POOL
        for (int j = 0; j < 5; j++) {
#pragma omp task shared(count) POOL
#pragma omp atomic
            count++;
        }
    }
    CHECK_EQ(count, 100);

#pragma omp taskgroup task_reduction(+ : sum)
    for (int i = 0; i < 50; i++) {
#pragma omp task in_reduction(+ : sum) firstprivate(i) POOL
        sum += i;
    }
    CHECK_EQ(sum, 1225);

    /* A group with a reduction of the task's own. */
    for (int i = 0; i < 10; i++) {
#pragma omp task shared(wrong) POOL
        {
            long mine = 0;
#pragma omp taskgroup task_reduction(+ : mine)
            for (int j = 0; j < 10; j++) {
#pragma omp task in_reduction(+ : mine)
                mine += j;
            }
#pragma omp atomic
            wrong += mine != 45;
        }
    }
#pragma omp taskloop shared(count) POOL
    for (int i = 0; i < 100; i++) {
#pragma omp atomic
        count++;
    }
#pragma omp taskwait
    CHECK(count == 200 && wrong == 0);

    /* Regions inside, with their own barriers and tasks. */
    for (int i = 0; i < 4; i++) {
#pragma omp task shared(inner, wrong) POOL
        {
            int here = 0, agent = newer_omp_is_free_agent();
#pragma omp parallel num_threads(2) reduction(+ : here)
            {
#pragma omp task shared(inner) POOL
#pragma omp atomic
                inner++;
#pragma omp barrier
                here += 1 + 100 * (omp_get_level() != level + 1);
                /* The primary thread is what it was outside. */
                here += 100 * (omp_get_thread_num() == 0 && newer_omp_is_free_agent() != agent);
                here += 100 * (newer_omp_ancestor_is_free_agent(level) != agent);
            }
#pragma omp atomic
            wrong += here < 1 || here > 2;
            int bad = wrong_view(level, size);
#pragma omp atomic
            wrong += bad;
        }
    }
#pragma omp taskwait
    CHECK(wrong == 0 && inner >= 4 && inner <= 8);

#pragma omp taskgroup
    for (int i = 0; i < 50; i++) {
#pragma omp task POOL
        {
#pragma omp cancel taskgroup
        }
    }
}

int main(void)
{
    NEWER_FIND(omp_is_free_agent);
    NEWER_FIND(omp_ancestor_is_free_agent);
    CHECK(newer_omp_is_free_agent() == 0 && newer_omp_ancestor_is_free_agent(0) == 0);
    CHECK(newer_omp_ancestor_is_free_agent(-1) == 0 && newer_omp_ancestor_is_free_agent(1) == 0);
    all(0, 1);
    int left = 0;
    for (int time = 0; time < 5; time++) {
#pragma omp parallel
        {
#pragma omp single
            all(1, omp_get_num_threads());
            /* The barrier waits for these. */
#pragma omp task shared(left) POOL
            {
#pragma omp task shared(left)
#pragma omp atomic
                left++;
            }
#pragma omp barrier
#pragma omp single
            {
                CHECK_EQ(left, omp_get_num_threads());
                left = 0;
            }
        }
    }
    return check_done();
}
