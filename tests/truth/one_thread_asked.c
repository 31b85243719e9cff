// @env: OMP_NUM_THREADS=1
// healthy
// Whoever runs the program asks for one thread.
#include "truth.h"

int main(void)
{
    double begin = now(), serial = 0, work = 0;
    for (int step = 0; step < 10; step++) {
        serial += burn(0.020);
        #pragma omp parallel reduction(+ : work) // mark: region
        work += burn(0.030);
    }
    truth("serial", serial);
    truth("work@region", work);
    truth("elapsed", now() - begin);
}
