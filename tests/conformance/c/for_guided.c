/* for schedule(guided, c): every iteration once, in increasing order within a thread. */
#include "check.h"
#define N 5003

int main(void)
{
    for (int chunk = 1; chunk < 100; chunk *= 7) {
        int times[N] = {0};
#pragma omp parallel
        {
            int last = -1;
#pragma omp for schedule(guided, chunk)
            for (int i = 0; i < N; i++) {
#pragma omp atomic
                times[i]++;
                CHECK(i > last);
                last = i;
            }
        }
        for (int i = 0; i < N; i++)
            CHECK_EQ(times[i], 1);
    }
    return check_done();
}
