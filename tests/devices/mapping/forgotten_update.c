/* A value is changed between two regions that use it.
 * @finds: stale-on-device scale */
#include <stdio.h>

double scale = 1, result;

static void region(void) {
#pragma omp target map(to : scale) map(from : result)
    result = 2 * scale; /* @here */
}

int main(void) {
#pragma omp target enter data map(to : scale)
    region();
    scale = 3;
    region();
#pragma omp target exit data map(delete : scale)
    printf("%g\n", result);
    return 0;
}
