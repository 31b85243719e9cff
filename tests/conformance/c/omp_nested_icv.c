/* omp_set_num_threads inside a region is the calling task's own matter. */
#include "check.h"

int main(void)
{
    int n = check_threads();
    omp_set_max_active_levels(2);
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        CHECK_EQ(omp_get_max_threads(), n);
        omp_set_num_threads(me % 3 + 1);
#pragma omp barrier
        CHECK_EQ(omp_get_max_threads(), me % 3 + 1);
#pragma omp parallel
        CHECK_EQ(omp_get_num_threads(), me % 3 + 1);
    }
    CHECK_EQ(omp_get_max_threads(), n);
    return check_done();
}
