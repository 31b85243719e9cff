/* A device's memory is freed, and used by a copy.
 * @finds: use-after-unmap there */
#include <omp.h>
#include <stdio.h>

int main(void) {
    int host = omp_get_initial_device(), device = omp_get_default_device();
    int a[16] = {1, 2, 3};
    int *there = omp_target_alloc(sizeof a, device);
    omp_target_memcpy(there, a, sizeof a, 0, 0, device, host);
    omp_target_free(there, device);
    omp_target_memcpy(a, there, sizeof a, 0, 0, host, device); /* @here */
    printf("done\n");
    return 0;
}
