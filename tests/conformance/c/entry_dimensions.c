/* The routines of GCC 17's libgomp by dimension: one dimension has everything, the others 1. */
/* @compilers: gcc — they are in its interface only */
/* @distrust: gcc — libgomp has them from GCC 17 on */
#include "newer.h"

NEWER(int, omp_get_num_teams_dim, int);
NEWER(int, omp_get_team_num_dim, int);
NEWER(int, omp_get_num_threads_dim, int);
NEWER(int, omp_get_thread_num_dim, int);
NEWER(int, omp_get_thread_limit_dim, int);
NEWER(int, omp_get_supported_teams_dim, int, int);
NEWER(int, omp_get_supported_threads_dim, int, int);
NEWER(int, omp_get_supported_active_team_dims, int, bool);
NEWER(int, omp_get_supported_active_league_dims, int, bool);
NEWER(int, omp_get_supported_active_team_dims_, const int *, const int *);
NEWER(int, omp_get_supported_active_league_dims_, const int *, const int *);
NEWER(void, omp_get_device_distances, int, const int *, int *);

static void find_all(void)
{
    NEWER_FIND(omp_get_num_teams_dim);
    NEWER_FIND(omp_get_team_num_dim);
    NEWER_FIND(omp_get_num_threads_dim);
    NEWER_FIND(omp_get_thread_num_dim);
    NEWER_FIND(omp_get_thread_limit_dim);
    NEWER_FIND(omp_get_supported_teams_dim);
    NEWER_FIND(omp_get_supported_threads_dim);
    NEWER_FIND(omp_get_supported_active_team_dims);
    NEWER_FIND(omp_get_supported_active_league_dims);
    NEWER_FIND(omp_get_supported_active_team_dims_);
    NEWER_FIND(omp_get_supported_active_league_dims_);
    NEWER_FIND(omp_get_device_distances);
}

int main(void)
{
    find_all();
    int host = omp_get_initial_device(), no = 0;
#pragma omp teams num_teams(4) thread_limit(5)
    {
        CHECK_EQ(newer_omp_get_num_teams_dim(0), omp_get_num_teams());
        CHECK_EQ(newer_omp_get_team_num_dim(0), omp_get_team_num());
#pragma omp parallel
        {
            CHECK_EQ(newer_omp_get_num_threads_dim(0), omp_get_num_threads());
            CHECK_EQ(newer_omp_get_thread_num_dim(0), omp_get_thread_num());
            CHECK_EQ(newer_omp_get_thread_limit_dim(0), omp_get_thread_limit());
            for (int d = 1; d < 5; d++) {
                CHECK_EQ(newer_omp_get_num_teams_dim(d), 1);
                CHECK_EQ(newer_omp_get_team_num_dim(d), 0);
                CHECK_EQ(newer_omp_get_num_threads_dim(d), 1);
                CHECK_EQ(newer_omp_get_thread_num_dim(d), 0);
                CHECK_EQ(newer_omp_get_thread_limit_dim(d), 1);
            }
        }
    }
    for (int native = 0; native < 2; native++) {
        CHECK_EQ(newer_omp_get_supported_active_team_dims(host, native), 1);
        CHECK_EQ(newer_omp_get_supported_active_league_dims(host, native), 1);
        CHECK_EQ(newer_omp_get_supported_active_team_dims(12, native), 0);
        CHECK_EQ(newer_omp_get_supported_active_league_dims(12, native), 0);
    }
    CHECK_EQ(newer_omp_get_supported_active_team_dims_(&host, &no), 1);
    CHECK_EQ(newer_omp_get_supported_active_league_dims_(&host, &no), 1);
    CHECK_EQ(newer_omp_get_supported_teams_dim(host, 0), INT_MAX);
    CHECK_EQ(newer_omp_get_supported_teams_dim(host, 1), 1);
    CHECK_EQ(newer_omp_get_supported_threads_dim(host, 0), omp_get_thread_limit());
    CHECK_EQ(newer_omp_get_supported_threads_dim(host, 3), 1);

    int devices[] = {-1, host, -5, -4, -123, host + 1}, far[6] = {7, 7, 7, 7, 7, 7};
    newer_omp_get_device_distances(6, devices, far);
    for (int i = 0; i < 6; i++)
        CHECK_EQ(far[i], i < 3 ? 0 : -1);
    newer_omp_get_device_distances(0, devices, NULL);
    return check_done();
}
