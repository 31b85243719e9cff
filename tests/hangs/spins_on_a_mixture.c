// A member spins until a mixture of two numbers is right. Each of the mixture's 2 * 40 values comes
// from the two before it: what follows every way through them never ends.
// @kind: spins
#include "hang.h"

static unsigned one = 3, other = 5;

static void __attribute__((noinline)) until_right(void) {
    unsigned mixed;
    do { // <A>
        __asm__ volatile("movd %1, %%xmm0\n\t" // <A>
                         "movd %2, %%xmm1\n\t"
                         ".rept 40\n\t"
                         "movdqa %%xmm0, %%xmm2\n\t"
                         "paddd %%xmm1, %%xmm0\n\t"
                         "psubd %%xmm2, %%xmm1\n\t"
                         ".endr\n\t"
                         "movd %%xmm0, %0"
                         : "=r"(mixed)
                         : "m"(one), "m"(other)
                         : "xmm0", "xmm1", "xmm2");
    } while (mixed != 77777); // <A>
}

int main(void) {
    int sum = 0;
    ready();
    #pragma omp parallel num_threads(3) reduction(+ : sum)
    {
        if (omp_get_thread_num() == 1) until_right();
        #pragma omp barrier // <B>
        sum++;
    }
    return sum;
}
