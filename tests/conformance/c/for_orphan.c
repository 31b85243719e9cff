/* Orphaned worksharing: bound to the team that calls, or to a team of one outside of any region. */
#include "check.h"

static int work(int *times, int n)
{
    int mine = 0;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        times[i]++;
        mine++;
    }
#pragma omp single
    times[n]++;
#pragma omp barrier
    return mine;
}

int main(void)
{
    int times[101] = {0}, total = 0;
    CHECK_EQ(work(times, 100), 100);
#pragma omp parallel reduction(+ : total)
    total += work(times, 100);
    CHECK_EQ(total, 100);
    for (int i = 0; i <= 100; i++)
        CHECK_EQ(times[i], 2);
    return check_done();
}
