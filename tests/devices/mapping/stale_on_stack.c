/* As stale_after_region.c, with an array on the stack.
 * @finds: stale-on-host a */
#include <stdio.h>

int main(void) {
    int a[10] = {0}, sum = 0;
#pragma omp target map(to : a)
    for (int i = 0; i < 10; i++)
        a[i] = 1 + i;
    sum = a[3]; /* @here */
    printf("%d\n", sum);
    return 0;
}
