// A loop of two levels whose iterations depend on those above and to the left.
#include "truth.h"

static own_t own[2], waited[2];

int main(void)
{
    double begin = now();
    for (int step = 0; step < 4; step++) {
        #pragma omp parallel num_threads(2) // mark: region
        {
            int me = omp_get_thread_num();
            #pragma omp for collapse(1) ordered(2) schedule(static, 1) // mark: loop
            for (int i = 0; i < 6; i++)
                for (int k = 0; k < 8; k++) {
                    double asked = now();
                    #pragma omp ordered depend(sink : i - 1, k) depend(sink : i, k - 1) // mark: s
                    waited[me].seconds += now() - asked;
                    own[me].seconds += burn(0.004);
                    #pragma omp ordered depend(source)
                }
        }
    }
    truth("work@region", sum_of(own, 2));
    truth("mutex_wait@region", sum_of(waited, 2));
    truth("lock_wait@s", sum_of(waited, 2));
    truth("instances@loop", 4);
    truth("elapsed", now() - begin);
}
