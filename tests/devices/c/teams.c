// Leagues, loops, reductions, private and firstprivate variables, nested regions, tasks, critical,
// atomic.
#include <omp.h>
#include <stdio.h>

int main(void) {
    int n = 500, a[500], squares[500], sum = 0, most = -1, bits = -1;
    double real = 0;
    for (int i = 0; i < n; i++) a[i] = (i * 37) % 101;
#pragma omp target teams distribute parallel for map(to : a) map(from : squares) \
    reduction(+ : sum, real) reduction(max : most) reduction(& : bits)
    for (int i = 0; i < n; i++) {
        squares[i] = a[i] * a[i];
        sum += a[i];
        real += a[i] * 0.5;
        if (a[i] > most) most = a[i];
        bits &= a[i] | 0x70;
    }
    printf("%d %g %d %#x %d\n", sum, real, most, bits, squares[499]);
    int own = 7, mine = 1, result[4] = {0}, count = 0, tasks = 0, critical = 0;
#pragma omp target firstprivate(own) private(mine) map(tofrom : result, count, tasks, critical)
    {
        mine = own++;
#pragma omp parallel num_threads(4) firstprivate(own)
        {
            result[omp_get_thread_num()] = own + mine;
#pragma omp atomic
            count++;
#pragma omp critical
            critical += 2;
#pragma omp single
            for (int i = 0; i < 10; i++) {
#pragma omp task shared(tasks)
                {
#pragma omp atomic
                    tasks += i;
                }
            }
        }
    }
    printf("%d %d %d %d %d %d\n", own, mine, result[0], result[3], tasks, critical == 2 * count);
    int teams = 0, level = -1, inside = -1;
#pragma omp target teams num_teams(2) thread_limit(2) reduction(+ : teams)
    teams += omp_get_team_num() < omp_get_num_teams();
#pragma omp target map(from : level, inside)
    {
        level = omp_get_level();
        inside = omp_in_parallel();
    }
    printf("%d %d %d\n", teams >= 1, level, inside);
    long simd = 0;
#pragma omp target teams distribute parallel for simd collapse(2) reduction(+ : simd) \
    map(tofrom : simd)
    for (int i = 0; i < 30; i++)
        for (int j = 0; j < 20; j++) simd += i * j;
    printf("%ld\n", simd);
    if (0) mine = 0;
    int here = 1;
#pragma omp target if (here == 0) map(tofrom : here)
    here = omp_is_initial_device() + 1;
    printf("%d\n", here);
    return 0;
}
