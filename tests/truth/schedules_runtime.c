// healthy
// One loop whose schedule is chosen when it runs, and one that the compiler may choose.
#include "truth.h"

static own_t one[2], other[2];

int main(void)
{
    static const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided};
    double begin = now();
    for (int step = 0; step < 12; step++) {
        omp_set_schedule(kinds[step % 3], step % 3 == 2 ? 1 : 2);
        #pragma omp parallel num_threads(2) // mark: region
        {
            #pragma omp for schedule(runtime) // mark: runtime
            for (int i = 0; i < 8; i++)
                one[omp_get_thread_num()].seconds += burn(0.004);
            #pragma omp for schedule(auto) // mark: auto
            for (int i = 0; i < 4; i++)
                other[omp_get_thread_num()].seconds += burn(0.006);
        }
    }
    truth("work@region", sum_of(one, 2) + sum_of(other, 2));
    truth("instances@runtime", 12);
    truth("iterations@runtime", 96);
    truth("time@runtime", sum_of(one, 2));
    truth("elapsed", now() - begin);
}
