// Two buffers: one is worked on while the other one comes and goes, in order by their dependences.
#include <stdio.h>
#include <stdlib.h>

enum { N = 600, PARTS = 6 };

int main(void) {
    int *input = malloc(N * PARTS * sizeof *input), *output = calloc(N * PARTS, sizeof *output);
    int *a = malloc(2 * N * sizeof *a);
    for (int i = 0; i < N * PARTS; i++)
        input[i] = i;
#pragma omp target enter data map(alloc : a[0 : 2 * N])
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int part = 0; part < PARTS; part++) {
        int *buffer = a + part % 2 * N, *from = input + part * N, *to = output + part * N;
#pragma omp task depend(inout : buffer[0]) firstprivate(buffer, from)
        {
            for (int i = 0; i < N; i++)
                buffer[i] = from[i];
#pragma omp target update to(buffer[0 : N])
        }
#pragma omp target nowait depend(inout : buffer[0]) map(to : buffer[0 : N])
        for (int i = 0; i < N; i++)
            buffer[i] = 2 * buffer[i] + 1;
#pragma omp task depend(inout : buffer[0]) firstprivate(buffer, to)
        {
#pragma omp target update from(buffer[0 : N])
            for (int i = 0; i < N; i++)
                to[i] = buffer[i];
        }
    }
#pragma omp target exit data map(delete : a[0 : 2 * N])
    long total = 0;
    for (int i = 0; i < N * PARTS; i++)
        total += output[i];
    printf("%ld\n", total);
    free(a);
    free(input);
    free(output);
    return 0;
}
