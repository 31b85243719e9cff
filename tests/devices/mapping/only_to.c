/* The result of a reduction is mapped in one direction alone.
 * @finds: stale-on-host total */
#include <stdio.h>

int main(void) {
    int a[1000], total = 0;
    for (int i = 0; i < 1000; i++)
        a[i] = i % 3;
#pragma omp target data map(to : a, total)
    {
#pragma omp target teams distribute parallel for reduction(+ : total)
        for (int i = 0; i < 1000; i++)
            total += a[i];
    }
    printf("%d\n", total); /* @here */
    return 0;
}
