/* A device number that no device has.
 * @finds: wrong-device -  */
#include <omp.h>
#include <stdio.h>

int main(void) {
    int a[4] = {0};
#pragma omp target map(tofrom : a) device(7) /* @here */
    a[0] = 1;
    printf("%d\n", a[0]);
    return 0;
}
