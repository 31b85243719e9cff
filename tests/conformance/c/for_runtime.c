/* for schedule(runtime): the schedule that omp_set_schedule set. */
#include "check.h"
#define N 777

static void loop(int chunk)
{
    int times[N] = {0}, owner[N], n = check_threads();
    omp_sched_t kind;
    int set;
    omp_get_schedule(&kind, &set);
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < N; i++) {
#pragma omp atomic
        times[i]++;
        owner[i] = omp_get_thread_num();
    }
    for (int i = 0; i < N; i++) {
        CHECK_EQ(times[i], 1);
        if ((kind & 0x7fffffff) == omp_sched_static && chunk > 0)
            CHECK_EQ(owner[i], i / chunk % n);
    }
}

int main(void)
{
    static const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided,
                                        omp_sched_auto};
    for (int k = 0; k < 4; k++) {
        for (int chunk = 0; chunk < 20; chunk += 5) {
            omp_set_schedule(kinds[k], chunk);
            omp_sched_t kind;
            int got;
            omp_get_schedule(&kind, &got);
            CHECK_EQ(kind & 0x7fffffff, kinds[k]);
            loop(chunk);
        }
    }
    return check_done();
}
