/* Bytes for elements: the section is a quarter of what is used.
 * @finds: beyond-section a */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int n = 64;
    int *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma omp target map(tofrom : a[0 : n / 4])
    for (int i = 0; i < n; i++)
        a[i] += 1; /* @here */
    printf("%d\n", a[3]);
    free(a);
    return 0;
}
