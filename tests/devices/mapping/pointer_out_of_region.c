/* A region hands out the address of its own data, and the host follows it.
 * @finds: device-address-on-host a */
#include <stdint.h>
#include <stdio.h>

int main(void) {
    int a[10] = {1, 2, 3};
    uintptr_t where = 0;
#pragma omp target enter data map(to : a)
#pragma omp target map(from : where)
    where = (uintptr_t)&a[2];
    int value = *(volatile int *)where; /* @here */
#pragma omp target exit data map(delete : a)
    printf("%d\n", value);
    return 0;
}
