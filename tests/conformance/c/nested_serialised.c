/* Regions beyond max-active-levels have a team of one, and still count as levels. */
#include "check.h"

int main(void)
{
    omp_set_max_active_levels(1);
    CHECK_EQ(omp_get_max_active_levels(), 1);
    int total = 0, n = check_threads();
#pragma omp parallel
    {
        int me = omp_get_thread_num();
#pragma omp parallel num_threads(4)
        {
            CHECK_EQ(omp_get_num_threads(), n == 1 ? 4 : 1);
            CHECK_EQ(omp_get_level(), 2);
            CHECK_EQ(omp_get_active_level(), 1);
            CHECK_EQ(omp_get_ancestor_thread_num(1), me);
#pragma omp parallel num_threads(2)
            {
                CHECK_EQ(omp_get_num_threads(), 1);
                CHECK_EQ(omp_get_level(), 3);
#pragma omp for schedule(dynamic)
                for (int i = 0; i < 5; i++)
#pragma omp atomic
                    total++;
            }
        }
    }
    CHECK_EQ(total, 5 * (n == 1 ? 4 : n));
    return check_done();
}
