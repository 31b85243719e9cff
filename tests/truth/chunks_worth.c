// healthy
// A loop that is dealt out in single iterations of some microseconds: to hand one out costs little
// of that. chunks_tiny.c has the same loop with iterations that are not worth it.
#include "truth.h"

#define STEPS 3000
#define N 2000

static double cells[N];

int main(void)
{
    double begin = now();
    for (int step = 0; step < 40; step++) {
        #pragma omp parallel for num_threads(2) schedule(dynamic, 1) // mark: loop
        for (int i = 0; i < N; i++)
            for (int k = 0; k < STEPS; k++)
                cells[i] = cells[i] * 1.0000001 + 1e-9;
    }
    truth("iterations@loop", 40.0 * N);
    truth("elapsed", now() - begin);
}
