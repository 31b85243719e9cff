/* target without a device: the region runs on the host. */
#include "check.h"
#define N 500

int main(void)
{
    int a[N], flag = 0, device = -1, kept = 3;
    long sum = 0;
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma omp target map(tofrom : a, flag, device) firstprivate(kept)
    {
        flag = kept;
        device = omp_is_initial_device();
        for (int i = 0; i < N; i++)
            a[i] *= 2;
    }
    CHECK_EQ(flag, 3);
    CHECK_EQ(device, 1);
#pragma omp target data map(tofrom : a)
    {
#pragma omp target teams distribute parallel for map(tofrom : sum) reduction(+ : sum)
        for (int i = 0; i < N; i++)
            sum += a[i];
#pragma omp target update from(a)
    }
    CHECK_EQ(sum, (long)N * (N - 1));
    int later = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp target nowait map(tofrom : later) depend(out : later)
        later = 5;
#pragma omp target nowait map(tofrom : later) depend(inout : later)
        later++;
#pragma omp taskwait
    }
    CHECK_EQ(later, 6);
    /* Nobody sized the league: on the host it has one team. */
    int league = 0;
#pragma omp target teams map(from : league)
    if (omp_get_team_num() == 0)
        league = omp_get_num_teams();
    CHECK_EQ(league, 1);
    return check_done();
}
