/* The place routines with an explicit place list. */
/* @env: OMP_PLACES={0},{0} OMP_PROC_BIND=close */
/* @threads: 1 2 */
#include "check.h"

int main(void)
{
    CHECK_EQ(omp_get_num_places(), 2);
    for (int p = 0; p < 2; p++) {
        int ids[8] = {-1};
        CHECK_EQ(omp_get_place_num_procs(p), 1);
        omp_get_place_proc_ids(p, ids);
        CHECK_EQ(ids[0], 0);
    }
#pragma omp parallel
    {
        int place = omp_get_place_num(), numbers[8];
        CHECK(place >= 0 && place < 2);
        CHECK(omp_get_partition_num_places() >= 1);
        omp_get_partition_place_nums(numbers);
        CHECK(numbers[0] >= 0 && numbers[0] < 2);
        CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_close);
    }
    return check_done();
}
