// One section reads what nobody writes: who has come to the end of the sections is not to blame.
// @kind: system-call
// @says: in the system call read
// @alone
// @stock: system-call
#include "hang.h"

static int ends[2];

static int take(void) {
    char byte = 0;
    return (int)read(ends[0], &byte, 1) + byte; // <A>
}

int main(void) {
    int sum = 0;
    if (pipe(ends)) return 1;
    ready();
    #pragma omp parallel sections num_threads(2) reduction(+ : sum)
    {
        #pragma omp section
        sum += take();
        #pragma omp section
        sum++;
    }
    return sum;
}
