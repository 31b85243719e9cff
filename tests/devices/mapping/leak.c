/* Nothing ends what enter data began.
 * @finds: never-unmapped table */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *table = calloc(40, sizeof *table), value = 1;
#pragma omp target enter data map(to : table[0 : 40]) /* @here */
#pragma omp target map(from : value)
    value = table[2];
    printf("%d\n", value);
    return table == NULL;
}
