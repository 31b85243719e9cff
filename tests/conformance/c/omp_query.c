/* The query routines outside and inside a region. */
#include "check.h"

int main(void)
{
    int n = check_threads();
    CHECK_EQ(omp_get_max_threads(), n);
    CHECK_EQ(omp_get_num_threads(), 1);
    CHECK_EQ(omp_get_thread_num(), 0);
    CHECK_EQ(omp_in_parallel(), 0);
    CHECK_EQ(omp_in_final(), 0);
    CHECK_EQ(omp_get_level(), 0);
    CHECK_EQ(omp_get_active_level(), 0);
    CHECK_EQ(omp_get_team_size(0), 1);
    CHECK_EQ(omp_get_ancestor_thread_num(0), 0);
    CHECK(omp_get_num_procs() >= 1);
    CHECK(omp_get_thread_limit() >= 1);
    CHECK(omp_get_supported_active_levels() >= 8);
    CHECK_EQ(omp_get_cancellation(), 0);
    CHECK_EQ(omp_get_num_teams(), 1);
    CHECK_EQ(omp_get_team_num(), 0);
    CHECK_EQ(omp_is_initial_device(), 1);
    CHECK_EQ(omp_get_max_task_priority(), 0);
    CHECK(omp_get_wtick() > 0 && omp_get_wtick() < 0.1);
    double before = omp_get_wtime(), now = before;
    for (int i = 0; i < 10000000 && now <= before; i++)
        now = omp_get_wtime();
    CHECK(now > before);
#pragma omp parallel
    {
        CHECK_EQ(omp_get_num_threads(), n);
        CHECK_EQ(omp_in_parallel(), n > 1);
        CHECK_EQ(omp_get_level(), 1);
        CHECK_EQ(omp_get_active_level(), n > 1);
        CHECK_EQ(omp_get_team_size(1), n);
        CHECK_EQ(omp_get_ancestor_thread_num(1), omp_get_thread_num());
        CHECK_EQ(omp_get_ancestor_thread_num(0), 0);
        CHECK(omp_get_wtime() >= before);
    }
    return check_done();
}
