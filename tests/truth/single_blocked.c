// A single construct sleeps while the other thread waits at its end.
#include "truth.h"
#include <unistd.h>

int main(void)
{
    double begin = now(), asleep = 0, waited = 0;
    own_t own[2] = {{0}};
    #pragma omp parallel num_threads(2) // mark: region, disease: blocked
    for (int step = 0; step < 20; step++) {
        int me = omp_get_thread_num();
        own[me].seconds += burn(0.005);
        #pragma omp barrier
        #pragma omp single // mark: single
        {
            double from = now();
            usleep(12000);
            asleep += now() - from;
        }
    }
    waited = asleep;
    truth("work@region", sum_of(own, 2));
    truth("blocked.usleep@region", asleep);
    truth("instances@single", 20);
    truth("wait@single", waited);
    truth("elapsed", now() - begin);
}
