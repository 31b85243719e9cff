/* for schedule(runtime): the schedule of OMP_SCHEDULE. */
/* @env: OMP_SCHEDULE=dynamic,7 */
#include "check.h"
#define N 700

int main(void)
{
    int owner[N], times[N] = {0}, chunk;
    omp_sched_t kind;
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ(kind & 0x7fffffff, omp_sched_dynamic);
    CHECK_EQ(chunk, 7);
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < N; i++) {
        owner[i] = omp_get_thread_num();
#pragma omp atomic
        times[i]++;
    }
    for (int i = 0; i < N; i++) {
        CHECK_EQ(times[i], 1);
        CHECK_EQ(owner[i], owner[i / 7 * 7]);
    }
    return check_done();
}
