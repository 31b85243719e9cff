/* schedule modifiers: monotonic keeps a thread's chunks in order, nonmonotonic keeps them all. */
#include "check.h"
#define N 500

int main(void)
{
    int times[N] = {0};
#pragma omp parallel
    {
        int last = -1;
#pragma omp for schedule(monotonic : dynamic, 3)
        for (int i = 0; i < N; i++) {
            CHECK(i > last);
            last = i;
#pragma omp atomic
            times[i]++;
        }
#pragma omp for schedule(nonmonotonic : dynamic, 3)
        for (int i = 0; i < N; i++)
#pragma omp atomic
            times[i]++;
#pragma omp for schedule(nonmonotonic : guided)
        for (int i = 0; i < N; i++)
#pragma omp atomic
            times[i]++;
        last = -1;
#pragma omp for schedule(monotonic : runtime)
        for (int i = 0; i < N; i++) {
            CHECK(i > last);
            last = i;
#pragma omp atomic
            times[i]++;
        }
    }
    for (int i = 0; i < N; i++)
        CHECK_EQ(times[i], 4);
    return check_done();
}
