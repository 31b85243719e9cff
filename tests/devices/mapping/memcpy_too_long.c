/* More is copied than the block of the device has.
 * @finds: wrong-copy there */
#include <omp.h>
#include <stdio.h>

static int a[100];

int main(void) {
    int device = omp_get_default_device(), host = omp_get_initial_device();
    int *there = omp_target_alloc(100, device);
    omp_target_memcpy(there, a, sizeof a, 0, 0, device, host); /* @here */
    omp_target_free(there, device);
    return 0;
}
