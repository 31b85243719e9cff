// Regions of `use_device_ptr` and `use_device_addr` hand addresses to functions.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static void twice(int *there, int n) {
#pragma omp target is_device_ptr(there)
    for (int i = 0; i < n; i++)
        there[i] *= 2;
}

int main(void) {
    int n = 70, *p = malloc(n * sizeof *p), total = 0;
    for (int i = 0; i < n; i++)
        p[i] = i;
#pragma omp target data map(tofrom : p[0 : n])
    {
#pragma omp target data use_device_ptr(p)
        twice(p, n);
        int copy[10];
#pragma omp target data use_device_ptr(p)
        omp_target_memcpy(copy, p, sizeof copy, 0, 10 * sizeof(int), omp_get_initial_device(),
                          omp_get_default_device());
        total += copy[0];
    }
    for (int i = 0; i < n; i++)
        total += p[i];
    printf("%d\n", total);
    free(p);
    return 0;
}
