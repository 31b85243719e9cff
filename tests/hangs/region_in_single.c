// A worksharing region inside single: the others never come to its barrier.
// @kind: barrier-not-met
#include "hang.h"

static int data[100];

static void __attribute__((noinline)) fill(void) {
    #pragma omp for
    for (int i = 0; i < 100; i++) data[i] = i;
}

int main(void) {
    ready();
    #pragma omp parallel num_threads(3) // <A> <B>
    {
        #pragma omp single // <A>
        fill(); // <A>
    }
    return data[3];
}
