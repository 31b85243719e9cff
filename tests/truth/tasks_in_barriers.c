// Tasks that threads execute while they are at a barrier, and at a region's end.
#include "truth.h"

enum { STEPS = 10, TASKS = 9 };

static own_t own[2], inside[2];

static void make(double seconds)
{
    for (int i = 0; i < TASKS; i++)
        #pragma omp task
        own[omp_get_thread_num()].seconds += burn(seconds);
}

int main(void)
{
    double begin = now(), in_tasks = 0, at_end = 0;
    #pragma omp parallel num_threads(2) // mark: region
    for (int step = 0; step < STEPS; step++) {
        int me = omp_get_thread_num();
        if (me == 0)
            make(0.004);
        double from = now();
        #pragma omp barrier // mark: barrier
        inside[me].seconds += now() - from;
    }
    in_tasks = sum_of(own, 2);
    for (int step = 0; step < STEPS; step++) {
        double from = now();
        #pragma omp parallel num_threads(2) // mark: end
        if (omp_get_thread_num() == 1)
            make(0.003);
        at_end += now() - from;
    }
    truth("work@region", in_tasks);
    truth("wait@barrier", sum_of(inside, 2) - in_tasks);
    truth("instances@barrier", STEPS);
    truth("ends@region", 1);
    truth("work@end", sum_of(own, 2) - in_tasks);
    truth("region@end", at_end);
    truth("instances@end", STEPS);
    truth("elapsed", now() - begin);
}
