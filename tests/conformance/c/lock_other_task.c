/* A nest lock belongs to a task: another task of the same thread finds it taken. */
/* @compilers: gcc — LLVM's own runtime lets in every task of the owning thread */
#include "check.h"

int main(void)
{
    omp_nest_lock_t lock;
    omp_init_nest_lock(&lock);
#pragma omp parallel
#pragma omp single
    {
        omp_set_nest_lock(&lock);
        int got = -1;
#pragma omp task if (0) shared(got)
        got = omp_test_nest_lock(&lock);
        CHECK_EQ(got, 0);
        omp_unset_nest_lock(&lock);
    }
    omp_destroy_nest_lock(&lock);
    return check_done();
}
