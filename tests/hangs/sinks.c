// One iteration's source never comes: its waiter is named first, then those behind it.
// @kind: sink-never-comes
// @says: waits at sinks.c:13 in main for the depend(source) of iteration (2, 4), counted from 0, and no thread comes to
// @alone
#include "hang.h"

static int sum[21][21];

int main(void) {
    ready();
    #pragma omp parallel for ordered(2) num_threads(2) schedule(static, 1)
    for (int i = 1; i < 20; i++) for (int j = 1; j < 20; j++) {
        #pragma omp ordered depend(sink : i - 1, j) // <A>
        sum[i][j] = sum[i - 1][j] + 1;
        if (i == 3 && j >= 5) continue;
        #pragma omp ordered depend(source)
    }
    return sum[19][19];
}
