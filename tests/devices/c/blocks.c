// A device's memory by routines: pieces of it, rectangles, copies there, and pointers into it.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int host = omp_get_initial_device(), device = omp_get_default_device();
    enum { ROWS = 12, COLUMNS = 20 };
    int *a = malloc(ROWS * COLUMNS * sizeof *a), back[ROWS * COLUMNS] = {0}, total = 0;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        a[i] = i;
    int *there = omp_target_alloc(2 * sizeof back, device), *second = there + ROWS * COLUMNS;
    omp_target_memcpy(there, a, sizeof back, 0, 0, device, host);
    size_t volume[] = {4, 5}, from[] = {2, 3}, to[] = {1, 1}, shape[] = {ROWS, COLUMNS};
    omp_target_memcpy(second, there, sizeof back, 0, 0, device, device);
    omp_target_memcpy_rect(second, a, sizeof(int), 2, volume, to, from, shape, shape, device, host);
#pragma omp target is_device_ptr(there, second) map(tofrom : total)
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        second[i] += there[i];
        total += second[i];
    }
    omp_target_memcpy(back, second, sizeof back, 0, 0, host, device);
    printf("%d %d %d\n", total, back[COLUMNS + 1], back[ROWS * COLUMNS - 1]);
    omp_target_free(there, device);
    free(a);
    return 0;
}
