/* cancel parallel: the others leave at their next cancellation point. */
/* @env: OMP_CANCELLATION=true */
#include "check.h"

int main(void)
{
    int n = check_threads();
    CHECK_EQ(omp_get_cancellation(), 1);
    for (int r = 0; r < 20; r++) {
        int past = 0, begun = 0;
#pragma omp parallel
        {
#pragma omp atomic
            begun++;
            if (omp_get_thread_num() == r % n) {
#pragma omp cancel parallel
            }
            for (;;) {
#pragma omp cancellation point parallel
                if (0)
                    past++;
            }
        }
        CHECK_EQ(begun, n);
        CHECK_EQ(past, 0);
    }
    int barrier = 0;
#pragma omp parallel
    {
        if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
        }
#pragma omp barrier
        barrier++;
    }
    CHECK_EQ(barrier, 0);
    int count = 0;
#pragma omp parallel
#pragma omp atomic
    count++;
    CHECK_EQ(count, n);
    return check_done();
}
