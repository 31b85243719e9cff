// healthy
// A single construct that hands its value on, and loops without a barrier behind them.
#include "truth.h"

int main(void)
{
    double begin = now(), work = 0;
    #pragma omp parallel num_threads(2) reduction(+ : work) // mark: region
    for (int step = 0; step < 20; step++) {
        double length;
        #pragma omp single copyprivate(length) // mark: single
        length = 0.006;
        #pragma omp for schedule(static, 1) nowait
        for (int i = 0; i < 4; i++)
            work += burn(length);
        #pragma omp for schedule(static, 1)
        for (int i = 0; i < 4; i++)
            work += burn(length);
    }
    truth("work@region", work);
    truth("instances@single", 20);
    truth("elapsed", now() - begin);
}
