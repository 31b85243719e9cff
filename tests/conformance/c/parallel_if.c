/* parallel if: a false condition makes a team of one that still is a region. */
#include "check.h"

int main(void)
{
    int want = check_threads();
    for (int on = 0; on < 2; on++) {
        int count = 0;
#pragma omp parallel if (on)
        {
#pragma omp atomic
            count++;
            CHECK_EQ(omp_get_num_threads(), on ? want : 1);
            CHECK_EQ(omp_in_parallel(), on && want > 1);
            CHECK_EQ(omp_get_level(), 1);
            CHECK_EQ(omp_get_active_level(), on && want > 1);
        }
        CHECK_EQ(count, on ? want : 1);
    }
    return check_done();
}
