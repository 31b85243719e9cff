// A solver that does not converge leaves by a jump, past the call that gives the lock back.
// @kind: lock-taken-twice
// @says: if the call at left_locked_by_jump.c:22 leaves by a longjmp, as the code at left_locked_by_jump.c:14 may do
// @stock-says: leaves by a longjmp
// @also: -O0
#include <setjmp.h>
#include "hang.h"

static omp_lock_t memo;
static __thread jmp_buf failed;

static double __attribute__((noinline)) iterate(double from) {
    for (int round = 0; round < 50; round++) {
        if (from < 0) longjmp(failed, 1); // <B>
        from = (from + 2 / from) / 2;
    }
    return from;
}

static double __attribute__((noinline)) root(double from) {
    omp_set_lock(&memo); // <A>
    double found = iterate(from);
    omp_unset_lock(&memo);
    return found;
}

int main(void) {
    double sum = 0;
    omp_init_lock(&memo);
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    for (int i = 0; i < 4; i++) {
        if (setjmp(failed)) continue;
        sum += root(i < 2 ? 2 : -1);
    }
    return sum > 0;
}
