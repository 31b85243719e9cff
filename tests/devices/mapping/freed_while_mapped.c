/* The host frees what is mapped still; what comes to lie there next is taken for it.
 * @finds: freed-while-mapped p */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(100 * sizeof *p), first = 0;
    for (int i = 0; i < 100; i++)
        p[i] = i;
#pragma omp target enter data map(to : p[0 : 100])
#pragma omp target map(from : first)
    first = p[1];
    free(p); /* @here */
    printf("%d\n", first);
    return 0;
}
