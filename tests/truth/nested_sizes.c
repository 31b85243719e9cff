// Regions inside a region, whose teams have one, two and three threads in turn.
#include "truth.h"

static double part[2];

APART void inner(int me, int threads)
{
    double sum = 0;
    // disease: nested-parallelism anywhere
    #pragma omp parallel num_threads(threads) reduction(+ : sum) // mark: inner
    sum += burn(0.004);
    part[me] += sum;
}

int main(void)
{
    double begin = now(), own = 0, elapsed = 0;
    omp_set_max_active_levels(2);
    for (int step = 0; step < 24; step++) {
        double from = now();
        #pragma omp parallel num_threads(2) reduction(+ : own) // mark: outer
        {
            int me = omp_get_thread_num();
            own += burn(0.003);
            inner(me, 1 + (step + me) % 3);
        }
        elapsed += now() - from;
    }
    truth("work@inner", part[0] + part[1]);
    truth("instances@inner", 48);
    truth("instances@outer", 24);
    truth("region@outer", elapsed);
    truth("work", own + part[0] + part[1]);
    truth("elapsed", now() - begin);
}
