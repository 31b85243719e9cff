// Taskloops of tiny tasks: each task is counted, though few are timed and the runtime deals out the
// others as ranges.
#include "truth.h"

enum { LOOPS = 400, TASKS = 1000 };

static long done[2][16];

int main(void)
{
    double begin = now();
    #pragma omp parallel num_threads(2)
    #pragma omp single
    for (int step = 0; step < LOOPS; step++) {
        #pragma omp taskloop grainsize(1) // mark: loop
        for (int i = 0; i < TASKS; i++) {
            done[omp_get_thread_num()][0]++;
            for (volatile int k = 0; k < 100; k++) {
            }
        }
    }
    truth("tasks@loop", LOOPS * TASKS);
    truth("elapsed", now() - begin);
    return done[0][0] + done[1][0] != LOOPS * TASKS;
}
