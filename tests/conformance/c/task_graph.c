/* Taskgraphs by direct calls: a region is executed once; its tasks, with their private data and their
 * dependences, are made again each time. What cannot be made again is executed anew. */
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
    return __kmpc_start_record_task(NULL, __kmpc_global_thread_num(NULL), flags, id);
}

static void end(int id)
{
    __kmpc_end_record_task(NULL, __kmpc_global_thread_num(NULL), 0, id);
}

int main(void)
{
    NEWER_FIND(__kmpc_start_record_task);
    NEWER_FIND(__kmpc_end_record_task);
    int sums[TASKS] = {0}, bodies = 0, chain = 0, order = 0, wrong = 0, deep = 0, waits = 0, ifs = 0;
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

        /* Undeferred tasks and taskwaits: the region is executed anew. */
        bodies = 0;
        for (int time = 0; time < TIMES; time++) {
            if (start(0, 4)) {
                bodies++;
#pragma omp task shared(waits)
                waits++;
#pragma omp taskwait
#pragma omp task shared(waits)
                waits++;
            }
            end(4);
            if (start(0, 5)) {
#pragma omp task shared(ifs) if (0)
                ifs++;
            }
            end(5);
        }
        CHECK(bodies == TIMES && waits == 2 * TIMES && ifs == TIMES);

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
        CHECK(bodies == 1 && order == TASKS + TIMES / 2);
        CHECK_EQ(sums[1], TIMES + TIMES / 2);
    }
    return check_done();
}
