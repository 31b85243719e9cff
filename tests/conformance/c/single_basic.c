/* single: one thread, and all wait for it; single nowait: one thread, none waits. */
#include "check.h"

int main(void)
{
    int n = check_threads(), count = 0, value = 0, nowait = 0;
#pragma omp parallel
    for (int r = 1; r <= 200; r++) {
#pragma omp single
        {
            count++;
            value = r;
        }
        CHECK_EQ(value, r);
#pragma omp barrier
#pragma omp single nowait
#pragma omp atomic
        nowait++;
    }
    CHECK_EQ(count, 200);
    CHECK_EQ(nowait, 200);
    (void)n;
    return check_done();
}
