/* Each thread's iterations of a loop rise in the code of every compiler if OMP_SCHEDULE or
 * omp_set_schedule makes it dynamic: so in libgomp, and in libomp without its word nonmonotonic. */
/* @env: OMP_SCHEDULE=dynamic */
/* @threads: 2 4 16 */
#include "rising.h"

int main(void)
{
    for (int round = 0; round < 5; round++) {
        omp_set_schedule(omp_sched_dynamic, 1 + round);
        LOOP(schedule(runtime))
        LOOP(schedule(nonmonotonic : runtime))
        LOOP(schedule(monotonic : runtime))
    }
    omp_set_schedule(omp_sched_guided, 1);
    LOOP(schedule(runtime))
    CHECK_EQ(fell, 0);
    return check_done();
}
