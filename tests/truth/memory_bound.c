// healthy
// A loop that memory bounds: more threads do not make it faster, which is none of OpenMP's doing.
#include "truth.h"

enum { N = 8 << 20 };

int main(void)
{
    double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
    double region = 0;
    own_t own[2] = {{0}};
    #pragma omp parallel for num_threads(2)
    for (int i = 0; i < N; i++)
        a[i] = b[i] = i;
    for (int step = 0; step < 20; step++) {
        double from = now();
        #pragma omp parallel num_threads(2) // mark: region
        {
            double from = now();
            #pragma omp for nowait // mark: loop
            for (int i = 0; i < N; i++)
                a[i] = a[i] * 0.5 + b[i];
            own[omp_get_thread_num()].seconds += now() - from;
        }
        region += now() - from;
    }
    truth("work@region", sum_of(own, 2));
    truth("region@region", region);
    truth("instances@region", 20);
}
