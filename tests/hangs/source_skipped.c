// An iteration skips its source: where the source stands.
// @kind: sink-never-comes
// @says: The code comes to sources at source_skipped.c:16.
// @alone
#include "hang.h"

static double a[64];

int main(void) {
    ready();
    #pragma omp parallel for ordered(1) num_threads(2) schedule(static, 1)
    for (int i = 1; i < 64; i++) {
        #pragma omp ordered depend(sink: i - 1) // <A>
        a[i] = a[i - 1] + i;
        if (i == 20) continue;
        #pragma omp ordered depend(source) // <B>
    }
    return a[63] > 1;
}
