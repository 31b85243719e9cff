/* taskwait: waits for the children, not for the grandchildren. */
#include "check.h"

int main(void)
{
    int done = 0, grand = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int r = 1; r <= 50; r++) {
            for (int i = 0; i < 10; i++) {
#pragma omp task shared(done, grand)
                {
#pragma omp task shared(grand)
#pragma omp atomic
                    grand++;
#pragma omp atomic
                    done++;
                }
            }
#pragma omp taskwait
            int seen;
#pragma omp atomic read
            seen = done;
            CHECK_EQ(seen, 10 * r);
        }
    }
    CHECK_EQ(grand, 500);
    return check_done();
}
