// A thread leaves an ordered loop by a jump, and with it the turn of its iteration.
// @kind: barrier-in-cycle
// @says: the end of the region at left_by_jump.c
// @also: -O0
#include "hang.h"

#include <setjmp.h>

static _Thread_local jmp_buf out;

static int __attribute__((noinline)) checked(int i) {
    if (i == 2) longjmp(out, 1);
    return i;
}

int main(void) {
    int sum = 0;
    ready();
    #pragma omp parallel num_threads(3) // <A> <B>
    {                                   // <A> <B>
        if (!setjmp(out)) {
            #pragma omp for ordered schedule(static, 1)
            for (int i = 0; i < 9; i++) {
                int value = checked(i); // <A>
                #pragma omp ordered     // <A>
                sum += value;           // <A>
            }
        }
    }
    return sum;
}
