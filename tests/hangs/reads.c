// A member reads from a pipe that nobody writes to; the others wait for it.
// @kind: system-call
#include "hang.h"

static int ends[2];

static int __attribute__((noinline)) next_number(void) {
    char text[8];
    return (int)read(ends[0], text, sizeof text); // <A>
}

int main(void) {
    int sum = 0;
    if (pipe(ends)) return 1;
    ready();
    #pragma omp parallel num_threads(3) reduction(+ : sum)
    {
        if (omp_get_thread_num() == 1) sum += next_number();
        #pragma omp barrier // <B>
        sum++;
    }
    return sum;
}
