// Regions inside of a region: of two threads each, and of one by an if clause.
#include "truth.h"

enum { STEPS = 8 };

int main(void)
{
    double begin = now(), own = 0, pair = 0, single = 0, waited = 0;
    omp_set_max_active_levels(2);
    #pragma omp parallel num_threads(2) reduction(+ : own, pair, single, waited) // mark: outer
    for (int step = 0; step < STEPS; step++) {
        double seconds = 0, arrived[2];
        own += burn(0.003);
        #pragma omp parallel num_threads(2) reduction(+ : seconds) // mark: pair
        {
            int me = omp_get_thread_num();
            seconds += burn(me ? 0.002 : 0.008);
            arrived[me] = now();
            #pragma omp barrier // mark: barrier
        }
        waited += waits(arrived, 2);
        pair += seconds;
        seconds = 0;
        #pragma omp parallel if (0) reduction(+ : seconds) // mark: alone
        seconds += burn(0.004);
        single += seconds;
    }
    truth("instances@outer", 1);
    truth("instances@pair", 2 * STEPS);
    truth("instances@alone", 2 * STEPS);
    truth("instances@barrier", 2 * STEPS);
    truth("work@pair", pair);
    truth("work@alone", single);
    truth("wait@barrier", waited);
    truth("elapsed", now() - begin);
}
