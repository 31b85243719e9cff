/* Source and destination of a copy have each other's device.
 * @finds: wrong-copy -
 * @finds: wrong-copy there */
#include <omp.h>
#include <stdio.h>

int main(void) {
    int host = omp_get_initial_device(), device = omp_get_default_device();
    int a[8] = {1, 2, 3};
    int *there = omp_target_alloc(sizeof a, device);
    omp_target_memcpy(there, a, sizeof a, 0, 0, host, device); /* @here */
    omp_target_free(there, device);
    printf("done\n");
    return 0;
}
