// Regions three deep: the middle ones have one thread, the inner ones are uneven.
#include "truth.h"

int main(void)
{
    double begin = now(), inner = 0;
    omp_set_max_active_levels(3);
    #pragma omp parallel num_threads(2) reduction(+ : inner) // mark: outer
    for (int step = 0; step < 5; step++) {
        burn(0.004);
        #pragma omp parallel num_threads(1) reduction(+ : inner) // mark: middle
        {
            double took[2] = {0, 0};
            burn(0.006);
            #pragma omp parallel num_threads(2) // mark: inner
            took[omp_get_thread_num()] = burn(omp_get_thread_num() ? 0.01 : 0.004);
            inner += took[0] + took[1];
        }
    }
    truth("instances@outer", 1);
    truth("instances@middle", 10);
    truth("instances@inner", 10);
    truth("work@inner", inner);
    truth("elapsed", now() - begin);
}
