/* The array is released before it is updated.
 * @finds: update-of-absent a */
#include <stdio.h>

static int a[10];

int main(void) {
#pragma omp target enter data map(to : a)
#pragma omp target exit data map(release : a)
#pragma omp target update from(a) /* @here */
    printf("%d\n", a[7]);
    return 0;
}
