/* A task may wait for a flag that its maker sets later: a thread of the team that executes no other
   task gets to it. However many dependent tasks the maker makes meanwhile, it executes none that
   waits so.

   @distrust: gcc — libgomp's maker may execute it, if no other thread has taken it
   @distrust: clang — the same */

#include "check.h"
#include <sched.h>

static int flag, ran;

static void wait_for_flag(void)
{
    while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE))
        sched_yield();
}

static void make(int waiting, int tasks)
{
    int x = 0;
    flag = ran = 0;
    for (int i = 0; i < waiting; i++) {
#pragma omp task depend(inout : x)
        wait_for_flag();
#pragma omp task
        wait_for_flag();
    }
    for (int i = 0; i < tasks; i++) {
#pragma omp task depend(in : x)
        __atomic_add_fetch(&ran, 1, __ATOMIC_RELAXED);
    }
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
#pragma omp taskwait
    CHECK_EQ(ran, tasks);
}

int main(void)
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 3; i++)
        make(omp_get_num_threads() > 1 ? 3 : 0, 20000);
    return check_done();
}
