// Results are mapped to the device, not from it.
// @host: 499500
// @device: 0
#include <stdio.h>
int main(void) {
    static long squares[1000];
    long sum = 0;
#pragma omp target teams distribute parallel for map(to : squares)
    for (int i = 0; i < 1000; i++) squares[i] = i;
    for (int i = 0; i < 1000; i++) sum += squares[i];
    printf("%ld\n", sum);
    return 0;
}
