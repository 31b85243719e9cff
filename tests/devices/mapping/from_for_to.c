/* Wrong direction: the region reads what is mapped as its result.
 * @finds: never-written-on-device a */
#include <stdio.h>

int main(void) {
    int a[16], b[16];
    for (int i = 0; i < 16; i++)
        a[i] = i;
#pragma omp target map(from : a, b)
    for (int i = 0; i < 16; i++)
        b[i] = a[i]; /* @here */
    printf("%d\n", b[3]);
    return 0;
}
