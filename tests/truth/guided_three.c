// A guided loop over three collapsed levels; the last quarter costs three times as much.
#include "truth.h"

static own_t own[2];
static double done[2];

int main(void)
{
    double begin = now(), idle = 0;
    for (int step = 0; step < 5; step++) {
        #pragma omp parallel num_threads(2) // mark: region
        {
            int me = omp_get_thread_num();
            #pragma omp for collapse(3) schedule(guided, 4) nowait // mark: loop
            for (int i = 0; i < 4; i++)
                for (long k = 10; k > 0; k -= 2)
                    for (unsigned char c = 0; c < 6; c++)
                        own[me].seconds += burn(i == 3 ? 0.003 : 0.001);
            done[me] = now();
            #pragma omp barrier // mark: barrier
        }
        idle += waits(done, 2);
    }
    truth("iterations@loop", 5 * 4 * 5 * 6);
    truth("instances@loop", 5);
    truth("time@loop", sum_of(own, 2));
    truth("wait@barrier", idle);
    truth("work@region", sum_of(own, 2));
    truth("elapsed", now() - begin);
}
