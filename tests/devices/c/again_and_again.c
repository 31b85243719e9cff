// The same addresses are used for one array after another; each is unmapped before it is freed.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    long total = 0;
    for (int round = 0; round < 20; round++) {
        int count = 50 + 37 * (round % 3);
        int *p = malloc(count * sizeof *p);
        for (int i = 0; i < count; i++)
            p[i] = i + round;
#pragma omp target enter data map(to : p[0 : count])
#pragma omp target
        for (int i = 0; i < count; i++)
            p[i] *= 2;
        if (round % 2 == 0) {
#pragma omp target exit data map(from : p[0 : count])
        } else {
#pragma omp target update from(p[0 : count])
#pragma omp target exit data map(release : p[0 : count])
        }
        for (int i = 0; i < count; i++)
            total += p[i];
        p = realloc(p, 4 * count * sizeof *p);
        for (int i = 0; i < 4 * count; i++)
            p[i] = round;
#pragma omp target map(tofrom : p[0 : 4 * count])
        p[4 * count - 1] += p[0];
        total += p[4 * count - 1];
        free(p);
    }
    printf("%ld\n", total);
    return 0;
}
