#include "truth.h"

double step(void)
{
    double work = 0;
    #pragma omp parallel num_threads(2) reduction(+ : work)
    work += burn(0.015);
    return work;
}
