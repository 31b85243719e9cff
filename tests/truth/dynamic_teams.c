// Teams that the runtime may make smaller; imbalance inside of them.
#include "truth.h"

int main(void)
{
    double begin = now(), region = 0;
    own_t own[2] = {{0}};
    omp_set_dynamic(1);
    for (int step = 0; step < 20; step++) {
        double from = now();
        #pragma omp parallel num_threads(2) // mark: region
        own[omp_get_thread_num()].seconds += burn(omp_get_thread_num() ? 0.018 : 0.006);
        region += now() - from;
    }
    truth("work@region", sum_of(own, 2));
    truth("region@region", region);
    truth("instances@region", 20);
    truth("elapsed", now() - begin);
}
