/* Taskgraphs by direct calls: a region is executed once; its tasks, with their private data and
 * their dependences, are made again each time, and its waits, groups and taskloops with them. What
 * cannot be made again is executed anew. */
/* @compilers: clang — the entry points are in LLVM's interface */
/* @distrust: clang — libomp has them in builds of its own only */
#include "newer.h"

typedef struct ident ident_t;
extern int __kmpc_global_thread_num(ident_t *);
NEWER(int, __kmpc_start_record_task, ident_t *, int, int, int);
NEWER(void, __kmpc_end_record_task, ident_t *, int, int, int);

enum { TIMES = 20, TASKS = 50 };

static int start(int flags, int id)
{
    return newer___kmpc_start_record_task(NULL, __kmpc_global_thread_num(NULL), flags, id);
}

static void end(int id)
{
    newer___kmpc_end_record_task(NULL, __kmpc_global_thread_num(NULL), 0, id);
}

int main(void)
{
    NEWER_FIND(__kmpc_start_record_task);
    NEWER_FIND(__kmpc_end_record_task);
    int sums[TASKS] = {0}, bodies = 0, chain = 0, order = 0, wrong = 0, deep = 0, waits = 0,
        ifs = 0;
    long sum = 0;
#pragma omp parallel
#pragma omp single
    {
        /* Private data as it was, 50 tasks each time. */
        for (int time = 0; time < TIMES; time++) {
            if (start(0, 1)) {
                bodies++;
                for (int i = 0; i < TASKS; i++) {
#pragma omp task firstprivate(i) shared(sums)
                    sums[i] += i;
                }
            }
            end(1);
        }
        CHECK_EQ(bodies, 1);
        for (int i = 0; i < TASKS; i++)
            CHECK_EQ(sums[i], i * TIMES);

        /* A chain keeps its order, each time. */
        bodies = 0;
        for (int time = 0; time < TIMES; time++) {
            order = 0;
            if (start(0, 2)) {
                bodies++;
                for (int i = 0; i < TASKS; i++) {
#pragma omp task firstprivate(i) shared(order, wrong, chain) depend(inout : chain)
                    {
                        wrong += order++ != i;
                        chain++;
                    }
                }
            }
            end(2);
            CHECK_EQ(order, TASKS);
        }
        CHECK(bodies == 1 && wrong == 0 && chain == TASKS * TIMES);

        /* Child tasks come with their parents. */
        bodies = 0;
        for (int time = 0; time < TIMES; time++) {
            if (start(0, 3)) {
                bodies++;
#pragma omp task shared(deep)
                for (int i = 0; i < 3; i++) {
#pragma omp task shared(deep)
#pragma omp atomic
                    deep++;
                }
            }
            end(3);
        }
        CHECK(bodies == 1 && deep == 3 * TIMES);

        /* Undeferred tasks and waits keep their place among the others. */
        bodies = 0;
        for (int time = 0; time < TIMES; time++) {
            order = 0;
            if (start(0, 4)) {
                bodies++;
                for (int i = 0; i < 4; i++) {
#pragma omp task shared(waits)
#pragma omp atomic
                    waits++;
                }
#pragma omp taskwait
#pragma omp task shared(waits, wrong, order, time) if (0)
                wrong += waits != 4 * (time + 1) || order++ != 0;
#pragma omp task shared(order) depend(out : chain)
                order++;
#pragma omp task shared(ifs) depend(out : ifs)
                ifs++;
#pragma omp task shared(ifs, wrong, time) depend(in : ifs) if (0)
                wrong += ifs != time + 1;
#pragma omp taskwait depend(in : chain)
#pragma omp task shared(order, wrong) if (0)
                wrong += order++ != 2;
            }
            end(4);
            CHECK_EQ(order, 3);
        }
        CHECK(bodies == 1 && waits == 4 * TIMES && ifs == TIMES && wrong == 0);

        /* Taskgroups, and children within them. */
        bodies = 0;
        for (int time = 0; time < TIMES; time++) {
            order = 0;
            if (start(0, 5)) {
                bodies++;
#pragma omp taskgroup
                for (int i = 0; i < 3; i++) {
#pragma omp task shared(order)
                    {
#pragma omp task shared(order)
#pragma omp atomic
                        order++;
                    }
                }
#pragma omp task shared(order, wrong) if (0)
                wrong += order != 3;
            }
            end(5);
        }
        CHECK(bodies == 1 && wrong == 0);

        /* Taskloops, with and without a group of their own, and reductions of the group. */
        bodies = 0;
        for (int time = 0; time < TIMES; time++) {
            if (start(0, 6)) {
                bodies++;
#pragma omp taskloop shared(sums) grainsize(3)
                for (int i = 0; i < TASKS; i++)
                    sums[i]++;
#pragma omp task shared(sums, wrong, time) if (0)
                wrong += sums[TASKS - 1] != (TASKS - 1) * TIMES + time + 1;
#pragma omp taskloop reduction(+ : sum) num_tasks(16)
                for (int i = 0; i < TASKS; i++)
                    sum += i;
#pragma omp taskgroup task_reduction(+ : sum)
                for (int i = 0; i < 4; i++) {
#pragma omp task in_reduction(+ : sum)
                    sum += 1000;
                }
#pragma omp taskloop shared(deep) nogroup
                for (int i = 0; i < 5; i++) {
#pragma omp atomic
                    deep++;
                }
            }
            end(6);
            CHECK_EQ(sum, (TASKS * (TASKS - 1) / 2 + 4000L) * (time + 1));
            CHECK_EQ(deep, 3 * TIMES + 5 * (time + 1));
        }
        CHECK(bodies == 1 && wrong == 0);
        for (int i = 0; i < TASKS; i++)
            CHECK_EQ(sums[i], (i + 1) * TIMES);

        /* An event belongs to one task: the region is executed anew. */
        bodies = 0;
        for (int time = 0; time < TIMES; time++) {
            omp_event_handle_t event;
            if (start(0, 7)) {
                bodies++;
#pragma omp task detach(event)
                omp_fulfill_event(event);
            }
            end(7);
        }
        CHECK_EQ(bodies, TIMES);

        /* A new record. */
        bodies = 0;
        for (int time = 0; time < TIMES; time++) {
            if (start(time == TIMES / 2 ? 2 : 0, 1)) {
                bodies++;
#pragma omp task shared(order)
                order++;
            }
            end(1);
        }
        CHECK(bodies == 1 && order == 3 + TIMES / 2);
        CHECK_EQ(sums[1], 2 * TIMES + TIMES / 2);
    }
    return check_done();
}
