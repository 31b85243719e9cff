// The last reference is released, which copies nothing.
// @host: 6
// @device: 1
#include <stdio.h>
int main(void) {
    int a[2] = {1, 1};
#pragma omp target enter data map(to : a)
#pragma omp target
    a[0] = 6;
#pragma omp target exit data map(release : a)
    printf("%d\n", a[0]);
    return 0;
}
