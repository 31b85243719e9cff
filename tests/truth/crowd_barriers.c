// Eight threads on two processors, with little to do between two barriers.
#include "truth.h"

int main(void)
{
    double begin = now();
    static double cells[2][512];
    #pragma omp parallel num_threads(8) // mark: region, disease: oversubscription
    for (int step = 0; step < 4000; step++) {
        #pragma omp for
        for (int i = 0; i < 512; i++)
            cells[step % 2][i] = cells[1 - step % 2][i] * 0.5 + i;
    }
    truth("elapsed", now() - begin);
}
