// The host's copy changes after the mapping; nothing brings that to the device.
// @host: 10 -> 11
// @device: 10 -> 10
#include <stdio.h>
int main(void) {
    int a[4] = {10, 10, 10, 10}, seen = 0;
#pragma omp target data map(to : a)
    {
        a[2]++;
#pragma omp target map(from : seen)
        seen = a[2];
    }
    printf("10 -> %d\n", seen);
    return 0;
}
