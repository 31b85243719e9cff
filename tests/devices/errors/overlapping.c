// A larger section than the one that is there cannot be mapped.
// @host: 9
// @ends: 40 bytes at .* cannot be used: only 20 bytes at .* are on the device
#include <stdio.h>
int main(void) {
    int a[10] = {0};
#pragma omp target enter data map(to : a[0 : 5])
#pragma omp target map(tofrom : a)
    a[9] = 9;
    printf("%d\n", a[9]);
    return 0;
}
