// The device's copy changes; the host reads its own without an update.
// @host: 1
// @device: 0
#include <stdio.h>
int main(void) {
    int a[4] = {0};
#pragma omp target data map(tofrom : a)
    {
#pragma omp target
        a[1] = 1;
        printf("%d\n", a[1]);
    }
    return 0;
}
