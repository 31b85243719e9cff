/* The host reads what the device has written before the region of data ends.
 * @finds: stale-on-host a */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    double *a = calloc(1000, sizeof *a);
    double sum = 0;
#pragma omp target data map(tofrom : a[0 : 1000])
    {
#pragma omp target
        for (int i = 0; i < 1000; i++)
            a[i] = i + 1;
        for (int i = 0; i < 1000; i++)
            sum += a[i]; /* @here */
    }
    printf("%g\n", sum);
    free(a);
    return 0;
}
