// Who has the turn waits for the critical section in which another one waits for its turn. The
// third thread waits for that section too, and is not to blame.
// @kind: cycle
// @alone
#include "hang.h"

static int sum;

static void __attribute__((noinline)) add(int i) { // <A>
    #pragma omp ordered // <A>
    sum += i;
}

int main(void) {
    ready();
    #pragma omp parallel for ordered schedule(static, 1) num_threads(3)
    for (int i = 0; i < 3; i++) {
        if (i == 0) pause_a_little();
        if (i == 2) usleep(50000);
        #pragma omp critical(sum) // <B>
        add(i);
    }
    return sum;
}
