// A static loop whose second half is three times the first, in a region with another, even loop.
#include "truth.h"

int main(void)
{
    double begin = now(), work[2] = {0, 0}, arrived[2], waited = 0;
    #pragma omp parallel num_threads(2) // mark: region, disease: imbalance
    for (int step = 0; step < 30; step++) {
        int me = omp_get_thread_num();
        #pragma omp for schedule(static, 1) // mark: even
        for (int i = 0; i < 2; i++)
            work[me] += burn(0.008);
        #pragma omp for schedule(static, 1) nowait
        for (int i = 0; i < 2; i++)
            work[me] += burn(i ? 0.015 : 0.005);
        arrived[me] = now();
        #pragma omp barrier // mark: barrier
        #pragma omp masked
        waited += waits(arrived, 2);
        #pragma omp barrier
    }
    truth("work@region", work[0] + work[1]);
    truth("imbalance@region", work[1] - work[0]);
    truth("gain@region", (work[1] - work[0]) / 2);
    truth("wait@barrier", waited);
    truth("elapsed", now() - begin);
}
