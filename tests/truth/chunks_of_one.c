// A dynamic loop whose chunks are far too small: handing them out is most of it.
#include "truth.h"

static double a[400000];

int main(void)
{
    double begin = now(), elapsed = 0;
    for (int step = 0; step < 40; step++) {
        double from = now();
        #pragma omp parallel num_threads(2) // mark: region, disease: runtime-overhead
        {
            #pragma omp for schedule(dynamic, 1) // mark: loop
            for (int i = 0; i < 400000; i++)
                a[i] += 1.0;
        }
        elapsed += now() - from;
    }
    truth("region@region", elapsed);
    truth("elapsed", now() - begin);
}
