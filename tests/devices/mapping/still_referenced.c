/* exit data copies nothing, since the array is mapped twice.
 * @finds: stale-on-host a
 * @finds: never-unmapped a */
#include <stdio.h>

static int a[10];

int main(void) {
#pragma omp target enter data map(to : a) /* @here */
#pragma omp target enter data map(to : a)
#pragma omp target
    for (int i = 0; i < 10; i++)
        a[i] = i + 1;
#pragma omp target exit data map(from : a)
    int value = a[3]; /* @here */
    printf("%d\n", value);
    return 0;
}
