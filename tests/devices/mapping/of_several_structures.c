/* Each structure's own block has the name of that structure.
 * @finds: stale-on-host sets[2].y
 * @says: the host reads `sets[2].y[1]` */
#include <stdio.h>
#include <stdlib.h>

struct points { int count; float *x, *y; };

int main(void) {
    struct points sets[3];
    struct points *all = sets;
    float sum = 0;
    for (int i = 0; i < 3; i++) {
        sets[i].count = 8;
        sets[i].x = calloc(8, sizeof(float));
        sets[i].y = calloc(8, sizeof(float));
        for (int k = 0; k < 8; k++) sets[i].x[k] = k;
    }
#pragma omp target enter data map(to : all[0 : 3])
    for (int i = 0; i < 3; i++) {
#pragma omp target enter data map(to : all[i].x[0 : 8], all[i].y[0 : 8])
    }
#pragma omp target map(alloc : all[0 : 3])
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 8; k++) all[i].y[k] += 2 * all[i].x[k];
    for (int i = 0; i < 2; i++) {
#pragma omp target update from(all[i].y[0 : 8])
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 8; k++) sum += sets[i].y[k]; /* @here */
    printf("%g\n", sum);
    for (int i = 0; i < 3; i++) {
#pragma omp target exit data map(release : all[i].x[0 : 8], all[i].y[0 : 8])
    }
#pragma omp target exit data map(release : all[0 : 3])
    for (int i = 0; i < 3; i++) free(sets[i].x), free(sets[i].y);
    return 0;
}
