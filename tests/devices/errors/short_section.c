// The section ends before what the region uses.
// @host: 45
// @device: not 45
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int *a = malloc(10 * sizeof *a), sum = 0;
    for (int i = 0; i < 10; i++) a[i] = i;
#pragma omp target map(to : a[0 : 9]) map(tofrom : sum)
    for (int i = 0; i < 10; i++) sum += a[i];
    printf(sum == 45 ? "45\n" : "not 45\n");
    free(a);
    return 0;
}
