// @env: OMP_THREAD_LIMIT=2
// healthy
// Asks for eight threads and gets the two that the limit leaves.
#include "truth.h"

int main(void)
{
    double begin = now(), work = 0;
    for (int step = 0; step < 10; step++) {
        #pragma omp parallel num_threads(8) reduction(+ : work) // mark: region
        work += burn(0.020);
    }
    truth("work@region", work);
    truth("instances@region", 10);
    truth("elapsed", now() - begin);
}
