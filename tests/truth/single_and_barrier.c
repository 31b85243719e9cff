// A single and an explicit barrier in each round. gcc -O3 makes two copies of what follows the
// single, one for the thread that executes it: each has a call for the barrier.
#include "truth.h"

enum { ROUNDS = 40 };

int main(void)
{
    double begin = now(), alone = 0, together = 0;
    #pragma omp parallel num_threads(2) reduction(+ : together) // mark: region, disease: imbalance
    for (int round = 0; round < ROUNDS; round++) {
        #pragma omp single // mark: single
        {
            double enter = now();
            burn(0.006);
            double took = now() - enter;
            alone += took;
            together += took;
        }
        double enter = now();
        burn(0.002);
        together += now() - enter;
        #pragma omp barrier // mark: barrier
    }
    truth("work@region", together);
    truth("instances@single", ROUNDS);
    truth("instances@barrier", ROUNDS);
    truth("elapsed", now() - begin);
}
