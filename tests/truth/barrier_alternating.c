// Equal in sum: the threads come late to the barrier in turn.
#include "truth.h"

int main(void)
{
    double begin = now(), late = 0;
    own_t own[2] = {{0}};
    double took[2] = {0};
    #pragma omp parallel num_threads(2) // mark: region
    for (int step = 0; step < 40; step++) {
        int me = omp_get_thread_num();
        took[me] = burn(step % 2 == me ? 0.014 : 0.003);
        own[me].seconds += took[me];
        #pragma omp barrier // mark: barrier, disease: imbalance
        #pragma omp masked // mark: masked
        late += took[0] > took[1] ? took[0] - took[1] : took[1] - took[0];
        #pragma omp barrier
    }
    truth("work@region", sum_of(own, 2));
    truth("wait@barrier", late);
    truth("imbalance@region", late);
    truth("instances@barrier", 40);
    truth("elapsed", now() - begin);
}
