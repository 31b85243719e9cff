// A taskloop that nobody waits for at once: its thread works on, and waits later.
#include "truth.h"

int main(void)
{
    double begin = now(), beside = 0;
    own_t own[2] = {{0}};
    #pragma omp parallel num_threads(2) // mark: region
    #pragma omp masked
    for (int step = 0; step < 4; step++) {
        #pragma omp taskloop num_tasks(6) nogroup // mark: loop
        for (int i = 0; i < 6; i++)
            own[omp_get_thread_num()].seconds += burn_ran(0.01);
        beside += burn_ran(0.004);
        #pragma omp taskwait
    }
    truth("tasks@loop", 24);
    truth("task_work@loop", sum_of(own, 2));
    truth("ran@region", sum_of(own, 2) + beside);
    truth("elapsed", now() - begin);
}
