/* A target region on the host is executed by an initial task: one thread, level 0, a league of its
 * own, the ICVs that the program began with; afterwards everything is as before.
 *
 * @compilers: gcc — clang calls the region's code itself, without the runtime
 */
#include "check.h"

int main(void)
{
    int threads = omp_get_max_threads();
#pragma omp parallel num_threads(4)
    {
        omp_set_num_threads(7);
        int number = omp_get_thread_num(), size = omp_get_num_threads();
        int inside = 0, level = -1, most = 0, teams = 0, limit = 0;
#pragma omp target if (0) map(from : inside, level, most, teams, limit) thread_limit(5)
        {
            inside = omp_get_num_threads();
            level = omp_get_level() + omp_in_parallel();
            most = omp_get_max_threads();
            teams = omp_get_num_teams() + omp_get_team_num();
            limit = omp_get_thread_limit();
            omp_set_num_threads(3);
        }
        CHECK_EQ(inside, 1);
        CHECK_EQ(level, 0);
        CHECK(most == threads || most == 5);
        CHECK_EQ(teams, 1);
        CHECK_EQ(limit, 5);
        CHECK_EQ(omp_get_thread_num(), number);
        CHECK_EQ(omp_get_num_threads(), size);
        CHECK_EQ(omp_get_max_threads(), 7);
    }
    int sum = 0;
#pragma omp target if (0) map(tofrom : sum)
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 100; i++)
        sum += i;
    CHECK_EQ(sum, 4950);
    return check_done();
}
