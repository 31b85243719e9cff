// A loop that is dealt out in single iterations of a tenth of a microsecond: larger chunks would
// give a good part of it back. chunks_worth.c has the same loop with iterations that are worth it.
#include "truth.h"

#define STEPS 60
#define N 100000

static double cells[N];

int main(void)
{
    double begin = now();
    for (int step = 0; step < 40; step++) {
        #pragma omp parallel for num_threads(2) schedule(dynamic) // mark: loop, disease: runtime-overhead
        for (int i = 0; i < N; i++)
            for (int k = 0; k < STEPS; k++)
                cells[i] = cells[i] * 1.0000001 + 1e-9;
    }
    truth("iterations@loop", 40.0 * N);
    truth("elapsed", now() - begin);
}
