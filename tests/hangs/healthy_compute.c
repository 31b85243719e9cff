// Nothing is wrong: one member computes for long, the others wait for it.
// @kind: none
#include "hang.h"

int main(void) {
    volatile double sum = 0;
    ready();
    #pragma omp parallel num_threads(3)
    {
        #pragma omp single
        for (long i = 0; i < 1000000000000; i++) sum += (double)i;
    }
    return sum > 0;
}
