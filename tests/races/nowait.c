/* A loop without its barrier, whose results the next one reads. */
#include <omp.h>
#include <stdio.h>
int main(void)
{
    int a[64], sum = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp for nowait schedule(static)
        for (int i = 0; i < 64; i++) a[i] = i;
#pragma omp for schedule(static) reduction(+ : sum)
        for (int i = 0; i < 64; i++) sum += a[63 - i];
    }
    printf("%d\n", sum);
}
