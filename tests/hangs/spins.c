// A member spins on a flag that nobody sets.
// @kind: spins
#include "hang.h"

static int flag;

static void __attribute__((noinline)) until_set(void) {
    while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE)) { // <A>
    }
}

int main(void) {
    int sum = 0;
    ready();
    #pragma omp parallel num_threads(3) reduction(+ : sum)
    {
        if (omp_get_thread_num() == 1) until_set();
        #pragma omp barrier // <B>
        sum++;
    }
    return sum;
}
