/* Each task has its own ICVs: what a task sets, its siblings do not see. */
#include "check.h"

int main(void)
{
    int n = check_threads();
#pragma omp parallel
#pragma omp single
    {
        omp_set_num_threads(7);
        for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(i)
            {
                CHECK_EQ(omp_get_max_threads(), 7);
                omp_set_num_threads(20 + i);
                CHECK_EQ(omp_get_max_threads(), 20 + i);
#pragma omp task firstprivate(i)
                CHECK_EQ(omp_get_max_threads(), 20 + i);
            }
        }
#pragma omp taskwait
        CHECK_EQ(omp_get_max_threads(), 7);
    }
    CHECK_EQ(omp_get_max_threads(), n);
    return check_done();
}
