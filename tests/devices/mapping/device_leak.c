/* Memory of the device is never freed.
 * @finds: never-freed there */
#include <omp.h>

int main(void) {
    int *there = omp_target_alloc(100, omp_get_default_device()); /* @here */
#pragma omp target is_device_ptr(there)
    there[0] = 1;
    return 0;
}
