// Regions of some microseconds, one after the other, for a while; says how many.
#include <omp.h>
#include <stdio.h>

int main(void) {
    long entered = 0;
    volatile double sink[2][16] = {{0}};
    for (double begin = omp_get_wtime(); omp_get_wtime() - begin < 0.4; entered++) {
#pragma omp parallel num_threads(2)
        for (int step = 0; step < 2000; step++) sink[omp_get_thread_num()][0] += 1;
    }
    printf("entered %ld\n", entered);
    return 0;
}
