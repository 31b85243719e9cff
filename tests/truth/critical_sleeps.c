// A critical construct in which threads sleep: nobody works, one is blocked, one waits.
#include "truth.h"
#include <unistd.h>

static own_t slept[2], waited[2], work[2], held[2];

int main(void)
{
    double begin = now();
    #pragma omp parallel num_threads(2) // mark: region
    for (int i = 0; i < 20; i++) {
        int me = omp_get_thread_num();
        work[me].seconds += burn_ran(0.002);
        double asked = now();
        #pragma omp critical(device) // mark: device
        {
            double from = now(), before = computed();
            waited[me].seconds += from - asked;
            usleep(8000);
            double ran = computed() - before;
            work[me].seconds += ran;
            slept[me].seconds += now() - from - ran;
            held[me].seconds += now() - from;
        }
    }
    truth("ran@region", sum_of(work, 2));
    truth("blocked.usleep@region", sum_of(slept, 2));
    truth("mutex_wait@region", sum_of(waited, 2));
    truth("lock_wait@device", sum_of(waited, 2));
    truth("held@device", sum_of(held, 2));
    truth("acquisitions@device", 40);
    truth("elapsed", now() - begin);
}
