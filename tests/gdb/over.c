/* Loops and sections that are stepped over: each has a line behind it that is no construct's. */
#include <stdio.h>

#define N 12

static double a[N], b[N];
static int passed;

static double heavy(int i)
{
    double x = i;
    for (int k = 0; k < 50; k++)
        x = x * 0.5 + k;
    return x;
}

__attribute__((noinline)) static void pass(int what)
{
    __atomic_fetch_add(&passed, what, __ATOMIC_RELAXED);
}

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        pass(1); /* begins */
#pragma omp for
        for (int i = 0; i < N; i++) {
            a[i] = heavy(i); /* in static */
            b[i] = a[i] + 1;
        }
        pass(2); /* behind static */
#pragma omp for schedule(dynamic)
        for (int i = 0; i < N; i++) {
            a[i] += heavy(i); /* in dynamic */
        }
        pass(3); /* behind dynamic */
#pragma omp for collapse(2) \
    schedule(guided) nowait
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 4; j++) {
                b[i * 4 + j] += a[i]; /* in collapsed */ // for (;;) {
            }
        pass(4); /* behind collapsed */
#pragma omp sections
        {
#pragma omp section
            a[0] = heavy(1); /* in sections */
#pragma omp section
            a[1] = heavy(2); /* in other section */
        }
        pass(5); /* behind sections */
    }
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        a[i] = b[i];
    printf("%g %d\n", a[1], passed); /* behind all */
    return 0;
}
