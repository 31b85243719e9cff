/* Numbers of tasks in LLVM's interface: each task that lives has its own, and knows its maker's. */
/* @compilers: clang — they are in that interface only */
/* @distrust: clang — libomp numbers tasks in its debug builds only */
#include "check.h"

extern unsigned long long __kmpc_get_taskid(void);
extern unsigned long long __kmpc_get_parent_taskid(void);

int main(void)
{
    /* OpenMP knows the thread from its first routine on. */
    CHECK(omp_get_max_threads() > 0);
    unsigned long long initial = __kmpc_get_taskid(), mine[64] = {0};
    CHECK_EQ(__kmpc_get_parent_taskid(), 0);
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        mine[me] = __kmpc_get_taskid();
        CHECK(mine[me] != 0 && mine[me] != initial);
        CHECK_EQ(__kmpc_get_parent_taskid(), initial);
#pragma omp barrier
        for (int i = 0; i < omp_get_num_threads(); i++)
            CHECK(i == me || mine[i] != mine[me]);
#pragma omp task if (0)
        {
            unsigned long long inner = __kmpc_get_taskid();
            CHECK(inner != mine[me]);
            CHECK_EQ(__kmpc_get_parent_taskid(), mine[me]);
#pragma omp task if (0)
            CHECK_EQ(__kmpc_get_parent_taskid(), inner);
        }
        CHECK_EQ(__kmpc_get_taskid(), mine[me]);
    }
    CHECK_EQ(__kmpc_get_taskid(), initial);
    return check_done();
}
