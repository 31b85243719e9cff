// A member writes to a pipe that nobody reads, until it is full.
// @kind: system-call
// @says: , read by file descriptor
#include "hang.h"

static int ends[2];

static void __attribute__((noinline)) fill(void) {
    static char text[4096];
    while (write(ends[1], text, sizeof text) > 0) { // <A>
    }
}

int main(void) {
    int sum = 0;
    if (pipe(ends)) return 1;
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        if (omp_get_thread_num() == 1) fill();
        #pragma omp barrier // <B>
        sum++;
    }
    return sum;
}
