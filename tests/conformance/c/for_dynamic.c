/* for schedule(dynamic, c): every iteration once; a chunk is one thread's. */
#include "check.h"
#define N 1003

int main(void)
{
    for (int chunk = 1; chunk < 2000; chunk = chunk * 3 + 1) {
        int owner[N], times[N] = {0};
#pragma omp parallel for schedule(dynamic, chunk)
        for (int i = 0; i < N; i++) {
            owner[i] = omp_get_thread_num();
#pragma omp atomic
            times[i]++;
        }
        for (int i = 0; i < N; i++) {
            CHECK_EQ(times[i], 1);
            CHECK_EQ(owner[i], owner[i / chunk * chunk]);
        }
    }
    return check_done();
}
