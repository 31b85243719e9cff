/* The update goes to the device, over what the region wrote.
 * @finds: overwritten-on-device a */
#include <stdio.h>

static int a[32];

int main(void) {
#pragma omp target enter data map(to : a)
#pragma omp target
    for (int i = 0; i < 32; i++)
        a[i] = i + 1;
#pragma omp target update to(a)
    int sum = 0;
    for (int i = 0; i < 32; i++)
        sum += a[i]; /* @here */
#pragma omp target exit data map(delete : a)
    printf("%d\n", sum);
    return 0;
}
