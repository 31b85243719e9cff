/* What the host writes is overwritten by the older value that the device has.
 * @finds: overwritten-on-host a */
#include <stdio.h>

int main(void) {
    int a[10] = {0}, b[10] = {0};
#pragma omp target data map(tofrom : a, b)
    {
#pragma omp target
        b[0] = a[0] + 1;
        a[1] = 5;
    }
    printf("%d %d\n", a[1], b[0]); /* @here */
    return 0;
}
