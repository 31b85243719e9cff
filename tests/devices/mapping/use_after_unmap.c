/* A device's address outlives what it is the address of.
 * @finds: use-after-unmap a */
#include <stdio.h>

static int a[10];

int main(void) {
    int *there = a, *kept = NULL, value = 0;
#pragma omp target enter data map(to : a)
#pragma omp target data use_device_ptr(there)
    kept = there;
#pragma omp target exit data map(delete : a)
#pragma omp target is_device_ptr(kept) map(from : value)
    value = kept[2]; /* @here */
    printf("%d\n", value);
    return 0;
}
