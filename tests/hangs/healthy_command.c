// One member has commands executed, and the others wait for it at a barrier.
// @kind: none
#include "hang.h"

#include <stdlib.h>

int main(void) {
    ready();
    #pragma omp parallel num_threads(3)
    for (;;) {
        #pragma omp masked
        if (system("sleep 0.4; seq 50000 | sort -n | tail -n 1 > /dev/null; sleep 0.3")) _exit(1);
        #pragma omp barrier
    }
}
