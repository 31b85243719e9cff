// Iterations hand each other on, each after a short sleep: nothing hangs.
// @kind: none
// @debuggers alive
#include "hang.h"

static volatile int sum[400];

int main(void) {
    ready();
    for (;;) {
        #pragma omp parallel for ordered(1) schedule(static, 1) num_threads(2)
        for (int i = 3; i < 400; i++) {
            usleep(1000);
            #pragma omp ordered depend(sink : i - 1) depend(sink : i - 3)
            sum[i] = sum[i - 1] + sum[i - 3];
            #pragma omp ordered depend(source)
        }
    }
}
