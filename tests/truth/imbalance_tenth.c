// Balanced but in every tenth instance, where one thread works twenty times as long.
#include "truth.h"

int main(void)
{
    double begin = now(), imbalance = 0, region = 0;
    own_t own[2] = {{0}};
    for (int step = 0; step < 100; step++) {
        double from = now(), took[2] = {0};
        #pragma omp parallel num_threads(2) // mark: region, disease: imbalance
        {
            int me = omp_get_thread_num();
            took[me] = burn(step % 10 == 3 && me == 1 ? 0.042 : 0.002);
            own[me].seconds += took[me];
        }
        region += now() - from;
        imbalance += took[0] > took[1] ? took[0] - took[1] : took[1] - took[0];
    }
    truth("work@region", sum_of(own, 2));
    truth("imbalance@region", imbalance);
    truth("gain@region", imbalance / 2);
    truth("region@region", region);
    truth("instances@region", 100);
    truth("elapsed", now() - begin);
}
