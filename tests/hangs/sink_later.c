// One iteration waits for a later one, and that one, by way of those between, for it: the wait that
// names the later one is the cause, although another thread waits for an earlier iteration.
// @kind: sink-never-comes
// @says: waits at sink_later.c:17 in main for the depend(source) of iteration (40), counted from 0, which comes after its own in the loop's order, and no thread comes to that
// @alone
#include "hang.h"

static int sum[64];

int main(void) {
    ready();
    #pragma omp parallel for ordered(1) schedule(dynamic, 1) num_threads(3)
    for (int i = 0; i < 60; i++) {
        #pragma omp ordered depend(sink : i - 1)
        sum[i] = i == 0 ? 0 : sum[i - 1] + i;
        if (i == 5) {
            #pragma omp ordered depend(sink : i + 35) // <A>
        }
        #pragma omp ordered depend(source)
    }
    return sum[9];
}
