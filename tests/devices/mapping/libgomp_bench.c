/* A program that is called as libraries are is a program.
 * @finds: missing-map p */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p), x = 0;
    *p = 5;
#pragma omp target map(from : x)
    x = *p; /* @here */
    printf("%d\n", x);
    free(p);
    return 0;
}
