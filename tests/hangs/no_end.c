// An iteration never comes to its ordered region: its loop inside has no end.
// @kind: spins
// @says: is in a loop that has no end
// @never: by itself
// @alone
// @also: -O0
#include "hang.h"

int main(void) {
    int sum = 0;
    ready();
    #pragma omp parallel for ordered schedule(static, 1) num_threads(3) reduction(+ : sum)
    for (int i = 0; i < 8; i++) {
        if (i == 2)
            for (;;) usleep(5000); // <A>
        #pragma omp ordered
        sum += i;
    }
    return sum;
}
