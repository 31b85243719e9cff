// Loops with nowait in a row: what threads wait at the end is of the last one.
#include "truth.h"

int main(void)
{
    double begin = now(), last = 0;
    own_t own[2] = {{0}};
    double at[2];
    for (int step = 0; step < 15; step++) {
        #pragma omp parallel num_threads(2) // mark: region, disease: imbalance
        {
            int me = omp_get_thread_num();
            double mine = 0;
            #pragma omp for schedule(dynamic, 1) nowait // mark: first
            for (int i = 0; i < 2; i++)
                mine += burn(0.004);
            #pragma omp for schedule(static) nowait
            for (int i = 0; i < 2; i++)
                mine += burn(i ? 0.006 : 0.002);
            mine += burn(me ? 0.010 : 0.002);
            at[me] = now();
            #pragma omp for schedule(static, 1) // mark: last
            for (int i = 0; i < 2; i++)
                at[me] = now();
            own[me].seconds += mine;
        }
        last += at[0] > at[1] ? at[0] - at[1] : at[1] - at[0];
    }
    truth("work@region", sum_of(own, 2));
    truth("wait@last", last);
    truth("instances@first", 15);
    truth("elapsed", now() - begin);
}
