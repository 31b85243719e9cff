// healthy
// A combined loop with simd, and a simd loop inside of a worksharing loop.
#include "truth.h"

#define N 2048
static float a[N], b[N], c[N];

int main(void)
{
    double begin = now(), first = 0, second = 0;
    for (int step = 0; step < 10; step++) {
        #pragma omp parallel for simd num_threads(2) reduction(+ : first) schedule(static) // mark: combined
        for (int i = 0; i < 8; i++)
            first += burn(0.003);
        #pragma omp parallel num_threads(2) reduction(+ : second) // mark: region
        {
            #pragma omp for schedule(dynamic, 2) // mark: loop
            for (int k = 0; k < 8; k++) {
                second += burn(0.004);
                #pragma omp simd
                for (int i = 0; i < N; i++)
                    a[i] = b[i] * c[i] + a[i];
            }
        }
    }
    truth("work@combined", first);
    truth("work@region", second);
    truth("instances@combined", 10);
    truth("iterations@loop", 80);
    truth("elapsed", now() - begin);
}
