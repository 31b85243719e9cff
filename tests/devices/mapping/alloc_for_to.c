/* Wrong direction: room is made and nothing is copied.
 * @finds: never-written-on-device weights */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    float *weights = malloc(50 * sizeof *weights), sum = 0;
    for (int i = 0; i < 50; i++)
        weights[i] = 2;
#pragma omp target data map(alloc : weights[0 : 50])
#pragma omp target map(tofrom : sum)
    for (int i = 0; i < 50; i++)
        sum += weights[i]; /* @here */
    printf("%g\n", sum);
    free(weights);
    return 0;
}
