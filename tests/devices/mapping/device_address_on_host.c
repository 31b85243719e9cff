/* The host follows a device's address.
 * @finds: device-address-on-host a */
#include <stdio.h>

static int a[10];

int main(void) {
    int value = 0, *there = a;
#pragma omp target data map(to : a)
    {
#pragma omp target data use_device_ptr(there)
        value = there[2]; /* @here */
    }
    printf("%d\n", value);
    return 0;
}
