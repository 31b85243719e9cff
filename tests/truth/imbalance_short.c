// Regions of some twenty microseconds, of which one thread works all and the other a quarter: the
// cure is to share the work, and longer regions would be none.
#include "own_clock.h"

int main(void)
{
    double begin = now();
    for (int step = 0; step < 20000; step++) {
        #pragma omp parallel num_threads(2) // mark: region, disease: imbalance
        compute(omp_get_thread_num() ? 3000 : 12000);
    }
    truth("instances@region", 20000);
    truth("elapsed", now() - begin);
}
