// A wavefront: cells with no work are passed over, and with them the source that the next row
// waits for.
// @kind: sink-never-comes
// @says: has a way past
// @also: -O0
#include "hang.h"

#define ROWS 24

static double heights[ROWS];
static const int masked[ROWS] = {[9] = 1, [17] = 1};

int main(void) {
    for (int row = 0; row < ROWS; row++) heights[row] = row;
    ready();
    #pragma omp parallel num_threads(2)
    {
        #pragma omp for ordered(1) schedule(static, 1)
        for (int row = 0; row < ROWS; row++) {
            if (masked[row])
                continue; // <B>
            double own = heights[row] * 0.5;
            #pragma omp ordered depend(sink : row - 1) // <A>
            if (row > 0) own += heights[row - 1] * 0.25;
            heights[row] = own;
            #pragma omp ordered depend(source)
        }
    }
    printf("%g\n", heights[ROWS - 1]);
    return 0;
}
