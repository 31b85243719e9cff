// The last that a region's body does is a call of the system, to which it may leave by a jump.
// @kind: system-call
// @stock: system-call
#include "hang.h"

static int two = 2;

int main(void) {
    ready();
    #pragma omp parallel num_threads(two)
    {
        if (omp_get_thread_num() == 0) pause(); // <A>
    }
    return 0;
}
