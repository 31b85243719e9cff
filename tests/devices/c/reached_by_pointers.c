// Pointers into the middle of what is mapped find it on the device.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *all = calloc(300, sizeof *all), *middle = all + 100, *last = all + 200;
    int total = 0;
#pragma omp target enter data map(to : all[0 : 300])
#pragma omp target
    for (int i = 0; i < 100; i++) {
        middle[i] = i;
        last[i] = middle[i] + 1;
        middle[-1 - i] = 2;
    }
#pragma omp target map(tofrom : total)
    for (int i = 0; i < 300; i++)
        total += all[i];
#pragma omp target exit data map(from : all[0 : 300])
    int there = 0;
    for (int i = 0; i < 300; i++)
        there += all[i];
    printf("%d %d\n", total, there);
    free(all);
    return 0;
}
