/* A stencil reads one element behind the section.
 * @finds: beyond-section in */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int n = 512;
    double *in = calloc(n + 1, sizeof *in), *out = calloc(n, sizeof *out);
#pragma omp target map(to : in[0 : n]) map(from : out[0 : n])
    for (int i = 0; i < n; i++)
        out[i] = in[i] + in[i + 1]; /* @here */
    printf("%g\n", out[0]);
    free(in);
    free(out);
    return 0;
}
