// Eight threads, of which one works at a time: at a barrier, and in a critical region.
#include "truth.h"

enum { THREADS = 8, STEPS = 40 };

static double arrived[THREADS];
static own_t own[THREADS], asking[THREADS];

int main(void)
{
    double begin = now(), waited = 0;
    #pragma omp parallel num_threads(THREADS) // mark: region
    {
        int me = omp_get_thread_num();
        for (int step = 0; step < STEPS; step++) {
            if (step % THREADS == me)
                own[me].seconds += burn(0.010);
            arrived[me] = now();
            #pragma omp barrier // mark: barrier
            if (me == 0)
                waited += waits(arrived, THREADS);
            #pragma omp barrier
        }
        double asked = now();
        #pragma omp critical // mark: critical
        {
            asking[me].seconds += now() - asked;
            own[me].seconds += burn(0.020);
        }
    }
    truth("work@region", sum_of(own, THREADS));
    truth("wait@barrier", waited);
    truth("instances@barrier", STEPS);
    truth("lock_wait@critical", sum_of(asking, THREADS));
    truth("contended@critical", THREADS - 1);
    truth("elapsed", now() - begin);
}
