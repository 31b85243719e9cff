/* A loop backwards goes one element too far.
 * @finds: beyond-section a */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    short *a = calloc(64, sizeof *a);
    int total = 0;
#pragma omp target map(to : a[16 : 16]) map(tofrom : total)
    for (int i = 31; i >= 15; i--)
        total += a[i]; /* @here */
    printf("%d\n", total);
    free(a);
    return 0;
}
