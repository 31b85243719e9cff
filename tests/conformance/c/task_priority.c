/* task priority: accepted; every task runs. */
/* @env: OMP_MAX_TASK_PRIORITY=10 */
#include "check.h"

int main(void)
{
    int count = 0;
    CHECK_EQ(omp_get_max_task_priority(), 10);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 500; i++) {
#pragma omp task priority(i % 13) shared(count)
#pragma omp atomic
        count++;
    }
    CHECK_EQ(count, 500);
    return check_done();
}
