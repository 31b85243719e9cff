// An iteration that has nothing to do leaves between its sink and its source. A call behind that
// changes nothing.
// @kind: sink-never-comes
// @says: : it leaves at source_behind_continue.c:27.
// @never: leaves at source_behind_continue.c:28
// @alone
#include "hang.h"

enum { ROWS = 200, WIDTH = 60 };

static double heights[ROWS + 1][WIDTH + 1];
static char is_dry[ROWS + 1];

__attribute__((noinline)) static void spread(int row) {
    for (int at = 1; at <= WIDTH; at++)
        heights[row][at] = 0.5 * (heights[row][at - 1] + heights[row - 1][at]);
}

int main(void) {
    is_dry[77] = 1;
    ready();
    #pragma omp parallel num_threads(3)
    {
        #pragma omp for ordered(1) schedule(static, 1)
        for (int row = 1; row <= ROWS; row++) {
            #pragma omp ordered depend(sink : row - 1) // <A>
            if (is_dry[row]) continue; // <B>
            spread(row);
            #pragma omp ordered depend(source)
        }
    }
    return heights[1][1] > 1;
}
