/* The section is the second half, the region begins with the first.
 * @finds: beyond-section a */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int n = 64, first = 0;
    int *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i + 5;
#pragma omp target map(to : a[n / 2 : n / 2]) map(from : first)
    first = a[0]; /* @here */
    printf("%d\n", first);
    free(a);
    return 0;
}
