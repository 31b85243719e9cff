// The initialiser of a static variable reads from a pipe that nobody writes to; the others want the
// variable.
// @kind: system-call
// @says: (begun at static_reads.cpp:
// @also: -O0
#include "hang.h"

static int ends[2];

static int __attribute__((noinline)) first_number() {
    char byte = 0;
    ready();
    return read(ends[0], &byte, 1) + byte; // <A>
}

static int number() {
    static int first = first_number(); // <B>
    return first;
}

int main() {
    int sum = 0;
    if (pipe(ends)) return 1;
    #pragma omp parallel num_threads(3) reduction(+ : sum)
    sum += number();
    return sum;
}
