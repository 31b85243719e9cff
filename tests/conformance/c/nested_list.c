/* OMP_NUM_THREADS as a list: one team size a level. */
/* @env: OMP_NUM_THREADS=3,2 OMP_MAX_ACTIVE_LEVELS=2 */
/* @threads: 1 */
#include "check.h"

int main(void)
{
    int count = 0;
#pragma omp parallel
    {
        CHECK_EQ(omp_get_num_threads(), 3);
        CHECK_EQ(omp_get_max_threads(), 2);
#pragma omp parallel
        {
            CHECK_EQ(omp_get_num_threads(), 2);
#pragma omp atomic
            count++;
        }
    }
    CHECK_EQ(count, 6);
    return check_done();
}
