/* teams on the host: each team number once, regions and loops inside. */
#include "check.h"

int main(void)
{
    int seen[8] = {0}, total = 0, size = 0;
#pragma omp teams num_teams(4) thread_limit(3) shared(seen, total, size)
    {
        int me = omp_get_team_num();
        CHECK(me >= 0 && me < omp_get_num_teams());
        if (me == 0)
            size = omp_get_num_teams();
        __atomic_add_fetch(&seen[me], 1, __ATOMIC_RELAXED);
#pragma omp parallel num_threads(2)
        {
            CHECK(omp_get_num_threads() <= 3);
#pragma omp atomic
            total++;
        }
    }
    CHECK(size >= 1 && size <= 4);
    for (int i = 0; i < size; i++)
        CHECK_EQ(seen[i], 1);
    CHECK(total >= size);
    CHECK_EQ(omp_get_num_teams(), 1);
    return check_done();
}
