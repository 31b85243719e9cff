// Nothing is wrong: one thread adds up arrays again and again, and the other one waits for it.
// @kind: none
// @never: stores nothing and calls nothing
#include <stdlib.h>
#include "hang.h"

enum { LENGTH = 1 << 20 };

static double __attribute__((noinline)) product(const double *one, const double *other) {
    double sum = 0;
    for (int at = 0; at < LENGTH; at++) sum += one[at] * other[at];
    return sum;
}

int main(void) {
    double *one = calloc(LENGTH, sizeof *one), *other = calloc(LENGTH, sizeof *other);
    ready();
    #pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
        for (long round = 0; round < 1000000000; round++)
            one[round % LENGTH] = product(one, other);
    printf("%g\n", one[0]);
    return 0;
}
