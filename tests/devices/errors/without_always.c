// Inside a data region `map(from:)` copies nothing back: that needs `always`.
// @host: 8
// @device: 0
#include <stdio.h>
int main(void) {
    int a[4] = {0};
#pragma omp target data map(alloc : a)
    {
#pragma omp target map(from : a)
        for (int i = 0; i < 4; i++) a[i] = 2;
        printf("%d\n", a[0] + a[1] + a[2] + a[3]);
    }
    return 0;
}
