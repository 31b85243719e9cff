// Members wait for a flag that nobody sets, and offer to execute tasks meanwhile: there are none.
// @kind: spins
// @says: the variable 'flag' to change
// @also: -O0
#include "hang.h"

int flag;

static void __attribute__((noinline)) until_set(void) {
    for (;;) {
        int seen;
        #pragma omp atomic read
        seen = flag; if (seen) return; // <A>
        #pragma omp taskyield
    }
}

int main(void) {
    int sum = 0;
    ready();
    #pragma omp parallel num_threads(3) reduction(+ : sum)
    {
        if (omp_get_thread_num() > 0) until_set();
        #pragma omp barrier // <B>
        sum++;
    }
    return sum;
}
