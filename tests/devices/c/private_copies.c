// Scalars, arrays and structures of a region's own.
#include <stdio.h>

struct pair {
    int *unused;
    int first, second;
};

int main(void) {
    int scale = 3, local[10], sums[10] = {0}, elsewhere = 5;
    struct pair pair = {&elsewhere, 4, 5};
    int *pointer = &elsewhere;
    for (int i = 0; i < 10; i++)
        local[i] = i;
#pragma omp target firstprivate(local, pair, scale, pointer) map(tofrom : sums)
    {
        scale += pair.first;
        for (int i = 0; i < 10; i++) {
            local[i] *= scale;
            sums[i] = local[i] + pair.second + (pointer != 0);
        }
    }
#pragma omp target private(local) map(tofrom : sums)
    for (int i = 0; i < 10; i++) {
        local[i] = i;
        sums[i] += local[i];
    }
    printf("%d %d %d %d\n", scale, local[4], sums[4], elsewhere);
    return 0;
}
