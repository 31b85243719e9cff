/* The region follows a pointer, and nothing maps what it points to.
 * @finds: missing-map p */
#include <stdlib.h>

int main(void) {
    int sum = 0;
    int *p = malloc(100 * sizeof *p);
    for (int i = 0; i < 100; i++)
        p[i] = i;
#pragma omp target map(tofrom : sum)
    for (int i = 0; i < 100; i++)
        sum += p[i]; /* @here */
    free(p);
    return sum == 4950 ? 0 : 2;
}
