// A guided loop whose last iteration is the longest: one thread ends late.
#include "truth.h"

int main(void)
{
    own_t own[2] = {{0}};
    double begin = now(), uneven = 0, total = 0;
    for (int step = 0; step < 12; step++) {
        double arrived[2];
        #pragma omp parallel num_threads(2) // mark: region, disease: imbalance
        {
            double took = 0;
            #pragma omp for schedule(guided) nowait // mark: loop
            for (int i = 0; i < 16; i++)
                took += burn(i == 15 ? 0.030 : 0.002);
            own[omp_get_thread_num()].seconds += took;
            arrived[omp_get_thread_num()] = took;
        }
        uneven += waits(arrived, 2);
    }
    total = sum_of(own, 2);
    truth("work@region", total);
    truth("imbalance@region", uneven);
    truth("iterations@loop", 12 * 16);
    truth("time@loop", total);
    truth("elapsed", now() - begin);
}
