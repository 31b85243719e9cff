// Much is allocated and freed while something is mapped, also by other threads; none of it is
// mapped.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *kept = malloc(3000), *part = kept + 1000;
    long total = 0;
    memset(kept, 1, 3000);
#pragma omp target data map(tofrom : part[0 : 1000])
    {
#pragma omp parallel num_threads(3) reduction(+ : total)
        for (int i = 0; i < 50; i++) {
            char *other = malloc(17 * (i + 1)), *aligned = aligned_alloc(64, 128);
            memset(other, i, 17 * (i + 1));
            other = realloc(other, 40 * (i + 1));
            total += other[5] + (aligned != NULL);
            free(other);
            free(aligned);
            free(NULL);
        }
#pragma omp target
        part[500] = 5;
    }
    total += kept[1500] + kept[0];
    printf("%ld\n", total);
    free(kept);
    return 0;
}
