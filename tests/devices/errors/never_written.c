// What is mapped from the device only is read there before it is written.
// @host: initial values
// @device: something else
#include <stdio.h>
int main(void) {
    int a[4] = {1, 2, 3, 4};
#pragma omp target map(from : a)
    for (int i = 0; i < 4; i++) a[i] += 10;
    printf("%s\n", a[0] == 11 && a[3] == 14 ? "initial values" : "something else");
    return 0;
}
