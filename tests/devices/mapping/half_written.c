/* The region fills half of its result; the host uses all of it.
 * @finds: copied-unwritten out */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    double *out = calloc(64, sizeof *out), sum = 0;
#pragma omp target map(from : out[0 : 64])
    for (int i = 0; i < 32; i++)
        out[i] = 1;
    for (int i = 0; i < 64; i++)
        sum += out[i]; /* @here */
    printf("%g\n", sum);
    free(out);
    return 0;
}
