// A critical section inside one of the same name.
// @kind: critical-in-critical
// @stock: critical-in-critical
#include "hang.h"

static int sum;

static void __attribute__((noinline)) add(int value) {
    #pragma omp critical(update) // <A>
    sum += value;
}

int main(void) {
    ready();
    #pragma omp parallel num_threads(2)
    {
        #pragma omp critical(update) // <B>
        {
            add(2);
            sum *= 2;
        }
    }
    return sum;
}
