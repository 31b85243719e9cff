/* task priority: where one thread executes them all, tasks that are ready go by their priorities.
 *
 * @env: OMP_MAX_TASK_PRIORITY=5
 */
#include "check.h"
#include <sched.h>

enum { TASKS = 40 };

int main(void)
{
    int order[TASKS], next = 0, over = 0;
#pragma omp parallel shared(order, next, over)
    {
        if (omp_get_thread_num() == 0) {
            for (int i = 0; i < TASKS; i++) {
#pragma omp task priority(i * 7 % 6) shared(order, next) firstprivate(i)
                order[next++] = i * 7 % 6;
            }
#pragma omp taskwait
            __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
        } else {
            /* No scheduling point: these execute nothing. */
            while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE))
                sched_yield();
        }
    }
    CHECK_EQ(next, TASKS);
    /* A team of one may execute each at once. */
    for (int i = 1; check_threads() > 1 && i < TASKS; i++)
        CHECK(order[i - 1] >= order[i]);
    return check_done();
}
