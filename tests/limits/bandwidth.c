// Arrays that fit no cache go by, and little is computed of them. How many threads the memory can
// serve is the machine's.
// likely: work-added or none
#include "limit.h"

#define LENGTH (16l << 20)

APART void triad(double *a, const double *b, const double *c)
{
    #pragma omp parallel for schedule(static)
    for (long i = 0; i < LENGTH; i++)
        a[i] = b[i] + 3.0 * c[i];
}

int main(void)
{
    double *a = malloc(3 * LENGTH * sizeof *a);
    if (!a)
        return 1;
    #pragma omp parallel for schedule(static)
    for (long i = 0; i < LENGTH; i++) {
        a[i] = 0;
        a[LENGTH + i] = 1;
        a[2 * LENGTH + i] = i % 7;
    }
    for (int step = 0; step < 20; step++)
        triad(a, a + LENGTH, a + 2 * LENGTH);
    printf("%g\n", a[LENGTH - 1]);
    free(a);
    return 0;
}
