// In each step one member leaves a loop out that the others share. The barriers are paired by count
// until they run out.
// @kind: barrier-not-met
// @debuggers
// @says: They parted at barrier 2 of the region
#include "hang.h"

static double cells[1000];

static void smooth(void) {
    #pragma omp for schedule(dynamic, 8) // <A>
    for (int i = 1; i < 999; i++) // <A>
        cells[i] = 0.5 * (cells[i] + 1); // <A>
} // <A>

int main(void) {
    ready();
    #pragma omp parallel num_threads(4)
    for (int step = 0; step < 3; step++) {
        #pragma omp single
        cells[0] = step;
        if (omp_get_thread_num() != 3) smooth();
        #pragma omp barrier // <B>
        cells[omp_get_thread_num()] += 1;
    }
    return cells[0] == 0;
}
