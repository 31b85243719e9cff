/* Memory of the device is used after it was freed.
 * @finds: use-after-unmap there */
#include <omp.h>
#include <stdio.h>

int main(void) {
    int device = omp_get_default_device();
    int *there = omp_target_alloc(100, device);
#pragma omp target is_device_ptr(there)
    there[0] = 1;
    omp_target_free(there, device);
#pragma omp target is_device_ptr(there)
    there[1] = 2; /* @here */
    return 0;
}
