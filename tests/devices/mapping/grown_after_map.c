/* The array moves to a larger place after it was mapped.
 * @finds: missing-map p
 * @finds: freed-while-mapped p */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    int *p = calloc(100, sizeof *p), value = 0;
#pragma omp target enter data map(to : p[0 : 100])
    int *larger = calloc(100000, sizeof *p);
    memcpy(larger, p, 100 * sizeof *p);
    free(p); /* @here */
    p = larger;
#pragma omp target map(tofrom : value)
    value = p[1]; /* @here */
    printf("%d\n", value);
    free(p);
    return 0;
}
