/* parallel: every thread of the team runs the region once, with its own number. */
#include "check.h"

int main(void)
{
    int want = check_threads(), seen[64] = {0}, team = 0;
#pragma omp parallel
    {
        int me = omp_get_thread_num();
#pragma omp atomic
        seen[me]++;
#pragma omp master
        team = omp_get_num_threads();
        CHECK_EQ(omp_get_num_threads(), want);
        CHECK(me >= 0 && me < want);
    }
    CHECK_EQ(team, want);
    for (int i = 0; i < 64; i++)
        CHECK_EQ(seen[i], i < want);
    CHECK_EQ(omp_get_num_threads(), 1);
    CHECK_EQ(omp_get_thread_num(), 0);
    return check_done();
}
