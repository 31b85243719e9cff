// One thread prepares each task for longer than the other takes to execute it: tiny as they are,
// it is no cost of tasks that the other waits for.
#include "truth.h"

enum { TASKS = 4000 };

int main(void)
{
    double begin = now(), made = 0;
    own_t own[2] = {{0}};
    #pragma omp parallel num_threads(2) // mark: region, disease: imbalance
    #pragma omp single
    for (int i = 0; i < TASKS; i++) {
        made += burn_ran(0.0002);
        #pragma omp task // mark: tasks
        own[omp_get_thread_num()].seconds += burn_ran(0.000004);
    }
    truth("tasks@tasks", TASKS);
    truth("ran@region", made + sum_of(own, 2));
    truth("elapsed", now() - begin);
}
