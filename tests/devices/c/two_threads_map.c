// Threads map what is their own, at the same time.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    long all = 0;
#pragma omp parallel num_threads(4) reduction(+ : all)
    {
        int me = omp_get_thread_num();
        long stack[40], *heap = malloc(40 * sizeof *heap);
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < 40; i++)
                stack[i] = heap[i] = me + i;
#pragma omp target data map(tofrom : stack) map(to : heap[0 : 40])
            {
#pragma omp target
                for (int i = 0; i < 40; i++)
                    stack[i] += heap[i];
                heap[3] = 7;
#pragma omp target update to(heap[3 : 1])
#pragma omp target
                stack[3] += heap[3];
            }
            all += stack[3] + stack[39];
        }
        free(heap);
    }
    printf("%ld\n", all);
    return 0;
}
