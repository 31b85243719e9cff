// @env: OMP_SCHEDULE=static
// Collapsed loops over a triangle, whose schedule is the environment's.
#include "truth.h"

static own_t own[2];
static double done[2];

int main(void)
{
    double begin = now(), idle = 0;
    for (int step = 0; step < 6; step++) {
        #pragma omp parallel num_threads(2) // mark: region, disease: imbalance
        {
            int me = omp_get_thread_num();
            #pragma omp for collapse(2) schedule(runtime) nowait // mark: loop
            for (int i = 0; i < 8; i++)
                for (int k = 0; k < 8; k++)
                    if (k <= i)
                        own[me].seconds += burn(0.003);
            done[me] = now();
            #pragma omp barrier // mark: barrier
        }
        idle += waits(done, 2);
    }
    truth("iterations@loop", 6 * 64);
    truth("time@loop", sum_of(own, 2));
    truth("wait@barrier", idle);
    truth("work", sum_of(own, 2));
    truth("elapsed", now() - begin);
}
