/* parallel num_threads: the clause decides, not OMP_NUM_THREADS. */
#include "check.h"

int main(void)
{
    for (int n = 1; n <= 9; n++) {
        int count = 0;
#pragma omp parallel num_threads(n)
        {
            CHECK_EQ(omp_get_num_threads(), n);
#pragma omp atomic
            count++;
        }
        CHECK_EQ(count, n);
    }
    CHECK_EQ(omp_get_max_threads(), check_threads());
    return check_done();
}
