// The ordered region of iteration 0 is never reached: its thread sleeps before.
// @kind: system-call
// @debuggers
#include "hang.h"

static int sum;

int main(void) {
    ready();
    #pragma omp parallel for ordered schedule(static, 1) num_threads(3)
    for (int i = 0; i < 9; i++) {
        if (i == 0) pause(); // <A>
        #pragma omp ordered // <B>
        sum += i;
    }
    return sum;
}
