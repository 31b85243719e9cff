/* A routine that counts bytes gets a count of elements.
 * @finds: never-written-on-device there */
#include <omp.h>
#include <stdio.h>

int main(void) {
    int host = omp_get_initial_device(), device = omp_get_default_device();
    double a[40], total = 0;
    for (int i = 0; i < 40; i++)
        a[i] = i;
    double *there = omp_target_alloc(sizeof a, device);
    omp_target_memcpy(there, a, 40, 0, 0, device, host);
#pragma omp target is_device_ptr(there) map(tofrom : total)
    for (int i = 0; i < 40; i++)
        total += there[i]; /* @here */
    printf("%d\n", total != 0);
    omp_target_free(there, device);
    return 0;
}
