/* Teams of a league beside each other, or one after the other: each number once, its own ICVs,
 * levels, regions and reductions.
 * @distrust: gcc — teams of libgomp change the ICVs of the task around the league */
#include "check.h"
#define TEAMS 7

static int where[TEAMS], regions[TEAMS], sums[TEAMS];

static int tree(int depth)
{
    int left, right;
    if (depth == 0)
        return 1;
#pragma omp task shared(left)
    left = tree(depth - 1);
    right = tree(depth - 1);
#pragma omp taskwait
    return left + right;
}

/* What only a function may ask here. */
static void ask(int me)
{
    CHECK_EQ(omp_get_level(), 0);
    CHECK_EQ(omp_get_active_level(), 0);
    CHECK_EQ(omp_in_parallel(), 0);
    CHECK_EQ(omp_get_num_threads(), 1);
    CHECK_EQ(omp_get_thread_num(), 0);
    CHECK_EQ(omp_get_team_size(0), 1);
    CHECK(omp_get_thread_limit() <= 2);
    omp_set_num_threads(me % 2 + 1);
}

int main(void)
{
    omp_set_max_active_levels(2);
    for (int round = 0; round < 50; round++) {
        long total = 0;
        int teams = 0;
        omp_set_num_threads(round % 3 + 1);
#pragma omp teams num_teams(TEAMS) thread_limit(2) reduction(+ : total) reduction(max : teams)
        {
            int me = omp_get_team_num();
            teams = omp_get_num_teams();
            CHECK(me >= 0 && me < teams && teams <= TEAMS);
            where[me]++;
            ask(me);
            int size = 0, sum = 0, leaves = 0;
#pragma omp parallel reduction(+ : sum)
            {
                CHECK_EQ(omp_get_level(), 1);
                CHECK_EQ(omp_get_team_num(), me);
                CHECK_EQ(omp_get_num_teams(), teams);
                CHECK(omp_get_num_threads() <= me % 2 + 1);
#pragma omp single
                size = omp_get_num_threads();
#pragma omp for schedule(dynamic)
                for (int i = 0; i < 20; i++)
                    sum += i;
#pragma omp single
                leaves = tree(4);
            }
            CHECK(size >= 1 && size <= 2);
            CHECK_EQ(leaves, 16);
            regions[me] += size > 0;
            sums[me] += sum;
            total += me + 1;
        }
        CHECK(teams >= 1);
        CHECK_EQ(total, teams * (teams + 1l) / 2);
        CHECK_EQ(omp_get_max_threads(), round % 3 + 1);
        CHECK_EQ(omp_get_num_teams(), 1);
        for (int t = 0; t < teams; t++) {
            CHECK_EQ(where[t], round + 1);
            CHECK_EQ(regions[t], round + 1);
            CHECK_EQ(sums[t], 190 * (round + 1));
        }
        int size = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
        size = omp_get_num_threads();
        CHECK(size >= 1 && size <= 3);
    }
    return check_done();
}
