// An iteration waits for one whose source never comes.
// @kind: system-call
#include "hang.h"

static int sum[64];

int main(void) {
    ready();
    #pragma omp parallel for ordered(1) schedule(static, 1) num_threads(3)
    for (int i = 1; i < 60; i++) {
        #pragma omp ordered depend(sink : i - 1) // <B>
        if (i == 5) pause(); // <A>
        sum[i] = sum[i - 1] + i;
        #pragma omp ordered depend(source)
    }
    return sum[9];
}
