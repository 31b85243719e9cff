/* GCC's code: a league on the host has nteams-var's number of teams, one in a target region that
 * runs there has one team, unless a clause says more.
 *
 * @compilers: gcc — libomp asks nteams-var there too
 * @threads: 1 4
 */
#include "check.h"

int main(void)
{
    int teams = 0, most = 0;
    omp_set_num_teams(5);
#pragma omp teams
    if (omp_get_team_num() == 0)
        teams = omp_get_num_teams();
    CHECK_EQ(teams, 5);
#pragma omp target device(omp_get_initial_device()) map(from : most)
    {
        omp_set_num_teams(7);
        most = omp_get_max_teams();
    }
    CHECK_EQ(most, 7);
#pragma omp target teams device(omp_get_initial_device()) map(from : teams)
    if (omp_get_team_num() == 0)
        teams = omp_get_num_teams();
    CHECK_EQ(teams, 1);
#pragma omp target teams device(omp_get_initial_device()) map(from : teams) num_teams(3)
    if (omp_get_team_num() == 0)
        teams = omp_get_num_teams();
    CHECK_EQ(teams, 3);
    return check_done();
}
