// @env: OMP_MAX_TASK_PRIORITY=10
// A chain of dependent tasks with a high priority beside many independent ones, in a taskgroup.
#include "truth.h"

static own_t chain[2], free_ones[2];

int main(void)
{
    double begin = now();
    int cell = 0;
    #pragma omp parallel num_threads(2) // mark: region
    #pragma omp single // mark: single
    for (int step = 0; step < 5; step++) {
        #pragma omp taskgroup
        {
            for (int i = 0; i < 12; i++) {
                #pragma omp task depend(inout : cell) priority(9) // mark: chain
                {
                    cell++;
                    chain[omp_get_thread_num()].seconds += burn_ran(0.006);
                }
            }
            for (int i = 0; i < 24; i++) {
                #pragma omp task priority(1) // mark: free
                free_ones[omp_get_thread_num()].seconds += burn_ran(0.003);
            }
        }
    }
    truth("tasks@chain", 60);
    truth("tasks@free", 120);
    truth("task_work@chain", sum_of(chain, 2));
    truth("task_work@free", sum_of(free_ones, 2));
    truth("ran@region", sum_of(chain, 2) + sum_of(free_ones, 2));
    truth("elapsed", now() - begin);
    return cell == 60 ? 0 : 1;
}
