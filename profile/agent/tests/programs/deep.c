// Stacks without frame pointers: through qsort of the C library, an over-aligned frame, recursion
// and an outlined region.
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile double sink;

__attribute__((noinline)) double leaf(double seconds) {
    struct timespec t, u;
    clock_gettime(CLOCK_MONOTONIC, &t);
    double x = 1;
    do {
        for (int i = 0; i < 2000; i++) x = x * 1.0000001 + 0.1;
        clock_gettime(CLOCK_MONOTONIC, &u);
    } while ((u.tv_sec - t.tv_sec) + (u.tv_nsec - t.tv_nsec) * 1e-9 < seconds);
    sink = x;
    return x;
}

__attribute__((noinline)) double aligned(double seconds, int many) {
    // The size is not known and the alignment is more than the ABI's: the frame's address is kept
    // in memory.
    double table[many] __attribute__((aligned(64)));
    __asm__ volatile("" : : "r"(table) : "memory");
    if ((uintptr_t)table % 64 != 0) abort();
    double x = leaf(seconds);
    __asm__ volatile("" : : "r"(table) : "memory");
    return x + 1;
}

__attribute__((noinline)) double recurse(int depth, double seconds) {
    if (depth == 0) return aligned(seconds, 16);
    double x = recurse(depth - 1, seconds);
    return x * 2 + depth;
}

__attribute__((noinline)) int compare(const void *a, const void *b) {
    sink += recurse(5, 0.06);
    return *(const int *)a - *(const int *)b;
}

__attribute__((noinline)) void sorting(void) {
    int numbers[] = {3, 1, 2, 5, 4, 9, 8, 7};
    qsort(numbers, 8, sizeof *numbers, compare);
}

int main(void) {
#pragma omp parallel num_threads(2)
    {
        sorting();
        sink += 1;
    }
    return 0;
}
