/* cancel taskgroup in a task of a loop with reduction(task): the taskgroup around the loop is
 * cancelled, not the one that the reduction makes; tasks that have not begun are discarded.
 *
 * @env: OMP_CANCELLATION=true
 * @compilers: gcc — LLVM's runtime takes the reduction's taskgroup for the one that is meant
 */
#include "check.h"

int main(void)
{
    int sum = 0, late = 0;
#pragma omp parallel
#pragma omp taskgroup
    {
#pragma omp task
        {
#pragma omp cancel taskgroup
            late = 1;
        }
#pragma omp taskwait
#pragma omp for reduction(task, + : sum)
        for (int i = 0; i < 64; i++) {
            sum++;
#pragma omp task in_reduction(+ : sum)
            {
                sum += 1000;
                late = 1;
            }
        }
    }
    CHECK_EQ(sum, 64);
    CHECK_EQ(late, 0);
    return check_done();
}
