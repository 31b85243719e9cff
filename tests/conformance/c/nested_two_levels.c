/* Nested regions: sizes, levels and ancestors. */
#include "check.h"

int main(void)
{
    int n = check_threads(), total = 0;
    int outer = n > 4 ? 4 : n;
    omp_set_max_active_levels(2);
    CHECK_EQ(omp_get_level(), 0);
#pragma omp parallel num_threads(outer)
    {
        int me = omp_get_thread_num();
        CHECK_EQ(omp_get_level(), 1);
#pragma omp parallel num_threads(3)
        {
            CHECK_EQ(omp_get_num_threads(), 3);
            CHECK_EQ(omp_get_level(), 2);
            CHECK_EQ(omp_get_active_level(), (outer > 1) + 1);
            CHECK_EQ(omp_get_ancestor_thread_num(0), 0);
            CHECK_EQ(omp_get_ancestor_thread_num(1), me);
            CHECK_EQ(omp_get_ancestor_thread_num(2), omp_get_thread_num());
            CHECK_EQ(omp_get_ancestor_thread_num(3), -1);
            CHECK_EQ(omp_get_ancestor_thread_num(-1), -1);
            CHECK_EQ(omp_get_team_size(0), 1);
            CHECK_EQ(omp_get_team_size(1), outer);
            CHECK_EQ(omp_get_team_size(2), 3);
            CHECK_EQ(omp_get_team_size(3), -1);
#pragma omp atomic
            total++;
#pragma omp barrier
        }
        CHECK_EQ(omp_get_thread_num(), me);
        CHECK_EQ(omp_get_num_threads(), outer);
    }
    CHECK_EQ(total, 3 * outer);
    return check_done();
}
