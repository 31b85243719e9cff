/* for schedule(static, c): chunks go round the team. */
#include "check.h"
#define N 1003

int main(void)
{
    int n = check_threads();
    for (int chunk = 1; chunk < 40; chunk += 6) {
        int owner[N], times[N] = {0};
#pragma omp parallel for schedule(static, chunk)
        for (int i = 0; i < N; i++) {
            owner[i] = omp_get_thread_num();
            times[i]++;
        }
        for (int i = 0; i < N; i++) {
            CHECK_EQ(times[i], 1);
            CHECK_EQ(owner[i], i / chunk % n);
        }
    }
    return check_done();
}
