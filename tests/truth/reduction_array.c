// healthy
// A reduction over an array, in a balanced loop.
#include "truth.h"

#define N 256

int main(void)
{
    double begin = now(), bins[N] = {0}, work = 0;
    for (int step = 0; step < 20; step++) {
        #pragma omp parallel for schedule(static, 1) reduction(+ : bins[:N], work) num_threads(2) // mark: loop
        for (int i = 0; i < 4; i++) {
            work += burn(0.010);
            for (int k = 0; k < N; k++)
                bins[k] += k;
        }
    }
    truth("work@loop", work);
    truth("instances@loop", 20);
    truth("elapsed", now() - begin);
    return bins[3] != 20 * 4 * 3;
}
