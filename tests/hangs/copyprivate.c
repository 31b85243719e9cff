// Who is to give the values of single copyprivate waits for input.
// @kind: system-call
#include "hang.h"

static char give(void) {
    char value = 0;
    int ends[2];
    if (pipe(ends) || read(ends[0], &value, 1) != 1) return 1; // <A>
    return value;
}

int main(void) {
    int sum = 0;
    ready();
    #pragma omp parallel num_threads(3) reduction(+ : sum)
    {
        char value;
        #pragma omp single copyprivate(value) // <B>
        value = give(); // <B>
        sum += value;
    }
    return sum;
}
