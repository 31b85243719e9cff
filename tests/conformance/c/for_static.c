/* for schedule(static): one contiguous block a thread, every iteration once, in thread order. */
#include "check.h"
#define N 1003

int main(void)
{
    int owner[N], times[N] = {0};
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++) {
            owner[i] = omp_get_thread_num();
            times[i]++;
        }
    }
    for (int i = 0; i < N; i++) {
        CHECK_EQ(times[i], 1);
        CHECK(i == 0 || owner[i] >= owner[i - 1]);
    }
    CHECK_EQ(owner[0], 0);
    CHECK_EQ(owner[N - 1], check_threads() - 1);
    return check_done();
}
