// Regions that nothing orders work on parts of one array that have nothing in common.
#include <stdio.h>

int main(void) {
    int a[256], b[256], sum = 0;
    for (int i = 0; i < 256; i++)
        a[i] = b[i] = 1;
#pragma omp target enter data map(to : a, b)
    for (int part = 0; part < 4; part++) {
#pragma omp target nowait map(to : a, b)
        for (int i = 64 * part; i < 64 * part + 64; i++)
            a[i] = b[255 - i] + part;
    }
#pragma omp target nowait map(to : b) map(from : sum)
    {
        sum = 0;
        for (int i = 0; i < 256; i++)
            sum += b[i];
    }
#pragma omp taskwait
#pragma omp target exit data map(from : a) map(release : b)
    for (int i = 0; i < 256; i++)
        sum += a[i];
    printf("%d\n", sum);
    return 0;
}
