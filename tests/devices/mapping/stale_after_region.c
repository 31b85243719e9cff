/* The region writes an array that is mapped to the device only.
 * @finds: stale-on-host a */
#include <stdio.h>

int main(void) {
    static int a[100];
#pragma omp target map(to : a)
    for (int i = 0; i < 100; i++)
        a[i] = 1 + i;
    int sum = 0;
    for (int i = 0; i < 100; i++)
        sum += a[i]; /* @here */
    printf("%d\n", sum);
    return 0;
}
