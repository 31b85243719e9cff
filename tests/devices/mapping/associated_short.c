/* The counterpart that the program gives is shorter than what the region uses.
 * @finds: beyond-section a */
#include <omp.h>
#include <stdio.h>

int main(void) {
    int device = omp_get_default_device();
    static int a[100];
    int *there = omp_target_alloc(50 * sizeof *there, device);
    omp_target_associate_ptr(a, there, 50 * sizeof *there, 0, device);
    int *p = a;
#pragma omp target map(alloc : p[0 : 50])
    for (int i = 0; i < 60; i++)
        p[i] = i; /* @here */
    omp_target_disassociate_ptr(a, device);
    omp_target_free(there, device);
    printf("done\n");
    return 0;
}
