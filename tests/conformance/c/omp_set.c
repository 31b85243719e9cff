/* What a routine sets, its inquiry returns, and the next region follows. */
#include "check.h"

int main(void)
{
    int n = check_threads(), size = 0;
    omp_set_num_threads(5);
    CHECK_EQ(omp_get_max_threads(), 5);
#pragma omp parallel
#pragma omp single
    size = omp_get_num_threads();
    CHECK_EQ(size, 5);
    omp_set_num_threads(n);

    omp_set_dynamic(1);
    CHECK_EQ(omp_get_dynamic(), 1);
#pragma omp parallel num_threads(8)
    {
        CHECK(omp_get_num_threads() >= 1 && omp_get_num_threads() <= 8);
    }
    omp_set_dynamic(0);
    CHECK_EQ(omp_get_dynamic(), 0);

    omp_set_max_active_levels(3);
    CHECK_EQ(omp_get_max_active_levels(), 3);
    omp_set_max_active_levels(0);
    CHECK_EQ(omp_get_max_active_levels(), 0);
#pragma omp parallel num_threads(4)
    CHECK_EQ(omp_get_num_threads(), 1);
    omp_set_max_active_levels(1);

    static const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided,
                                        omp_sched_auto};
    for (int k = 0; k < 4; k++) {
        omp_sched_t kind;
        int chunk;
        omp_set_schedule(kinds[k], 11);
        omp_get_schedule(&kind, &chunk);
        /* The top bit says monotonic or not. */
        CHECK_EQ(kind & 0x7fffffff, kinds[k]);
        if (kinds[k] != omp_sched_auto)
            CHECK_EQ(chunk, 11);
    }
    return check_done();
}
