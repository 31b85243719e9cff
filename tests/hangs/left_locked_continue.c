// Rows are locked one by one; a row that has converged is passed over, and stays locked.
// @kind: barrier-in-cycle
// @says: has a way out at
// @also: -O0
#include "hang.h"

#include <math.h>
#include <stdlib.h>

#define ROWS 12
#define COLUMNS 32

static omp_lock_t *row_locks;
static double grid[ROWS][COLUMNS];

static double change(const double *row) {
    double sum = 0;
    for (int at = 1; at < COLUMNS; at++) sum += fabs(row[at] - row[at - 1]);
    return sum;
}

__attribute__((noinline)) static int relax_rows(int first, int last) {
    int done = 0;
    for (int row = first; row < last; row++) {
        omp_set_lock(&row_locks[row]); // <A>
        double before = change(grid[row]);
        if (before < 1e-6)
            continue; // <B>
        for (int at = 1; at + 1 < COLUMNS; at++)
            grid[row][at] = 0.5 * (grid[row][at - 1] + grid[row][at + 1]);
        done++;
        omp_unset_lock(&row_locks[row]);
    }
    return done;
}

int main(void) {
    int done = 0;
    row_locks = malloc(ROWS * sizeof *row_locks);
    for (int row = 0; row < ROWS; row++) {
        omp_init_lock(&row_locks[row]);
        for (int at = 0; at < COLUMNS; at++) grid[row][at] = row == 7 ? 0 : at * at;
    }
    ready();
    #pragma omp parallel num_threads(3) reduction(+ : done)
    {
        int me = omp_get_thread_num();
        done += relax_rows(me * 4, me * 4 + 4);
        #pragma omp barrier
        // Each goes over its neighbour's last row too.
        int next = (me + 1) % 3;
        done += relax_rows(next * 4 + 3, next * 4 + 4);
        #pragma omp barrier
        done++;
    }
    free(row_locks);
    return done == 0;
}
