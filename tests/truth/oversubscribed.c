// Sixteen threads on few processors.
#include "truth.h"

int main(void)
{
    own_t own[16] = {{0}};
    double begin = now(), elapsed = 0;
    for (int step = 0; step < 10; step++) {
        double from = now();
        #pragma omp parallel num_threads(16) // mark: region, disease: oversubscription
        own[omp_get_thread_num()].seconds += burn(0.080);
        elapsed += now() - from;
    }
    truth("work@region", sum_of(own, 16));
    truth("region@region", elapsed);
    truth("elapsed", now() - begin);
}
