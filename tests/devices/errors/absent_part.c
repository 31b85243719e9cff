// The update goes beyond what is on the device.
// @host: 4
// @ends: 40 bytes at .* cannot be used: only 20 bytes at .* are on the device
// @warns: 40 bytes at .* cannot be used: only 20 bytes at .* are on the device; nothing is copied
#include <stdio.h>
int main(void) {
    int a[10] = {0};
#pragma omp target enter data map(to : a[0 : 5])
#pragma omp target map(alloc : a[0 : 5])
    a[4] = 4;
#pragma omp target update from(a)
    printf("%d\n", a[4]);
    return 0;
}
