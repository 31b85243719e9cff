// Regions too short to tell of each, with one of another kind now and then: a long one, one that
// waits for a late thread, one with a barrier, one with a loop that hands out chunks.
#include "truth.h"

enum { REGIONS = 20000, SELDOM = 1000 };

static own_t worked[2], arrived_late[2];

int main(void)
{
    double begin = now();
    for (int i = 0; i < REGIONS; i++) {
        int kind = i % SELDOM;
        #pragma omp parallel num_threads(2) // mark: short
        {
            int me = omp_get_thread_num();
            double time = burn(5e-6);
            if (kind == 250)
                time += burn(2e-3);
            if (kind == 500 && me == 1)
                arrived_late[me].seconds += burn(2e-3);
            if (kind == 750) {
                #pragma omp barrier // mark: inside
                time += burn(1e-3);
            }
            worked[me].seconds += time;
        }
    }
    truth("work@short", sum_of(worked, 2) + sum_of(arrived_late, 2));
    truth("imbalance@short", sum_of(arrived_late, 2));
    truth("instances@short", REGIONS);
    truth("instances@inside", REGIONS / SELDOM);
    truth("elapsed", now() - begin);
}
