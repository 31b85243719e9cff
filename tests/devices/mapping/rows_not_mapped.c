/* A matrix of rows: the pointers are mapped, the rows are not.
 * @finds: missing-map m */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *m[4], total = 0;
    for (int i = 0; i < 4; i++)
        m[i] = calloc(50, sizeof(int));
#pragma omp target map(to : m) map(tofrom : total)
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 50; j++)
            total += m[i][j]; /* @here */
    printf("%d\n", total);
    for (int i = 0; i < 4; i++)
        free(m[i]);
    return 0;
}
