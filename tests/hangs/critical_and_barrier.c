// A barrier in a critical section: the others wait to enter it.
// @kind: barrier-in-cycle
#include "hang.h"

static int sum;

int main(void) {
    ready();
    #pragma omp parallel num_threads(3)
    {
        #pragma omp critical(all) // <A>
        {
            sum++;
            extern void meet(void);
            meet();
        }
    }
    return sum;
}

void __attribute__((noinline)) meet(void) {
    #pragma omp barrier // <B>
    sum++;
}
