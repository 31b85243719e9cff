// The primary thread leaves out a worksharing loop of one step, and stays one barrier behind from
// then on: the stretch where its way parted from the others' is long over.
// @kind: barrier-not-met
// @says: They had parted by barrier
// @also: -O0
#include "hang.h"

#define CELLS 300
#define STEPS 40

static double now[CELLS], next[CELLS], norm;

static void smooth(void) {
    #pragma omp for
    for (int at = 1; at < CELLS - 1; at++)
        next[at] = 0.25 * now[at - 1] + 0.5 * now[at] + 0.25 * now[at + 1];
}

static void report(int step) {
    if (step % 10 == 0) fprintf(stderr, "step %d\n", step);
}

int main(void) {
    for (int at = 0; at < CELLS; at++) now[at] = at % 7;
    ready();
    #pragma omp parallel num_threads(3) // <A>
    for (int step = 0; step < STEPS; step++) {
        if (omp_get_thread_num() == 0 && step == 20) // <B>
            report(step); // <B>
        else
            smooth();
        #pragma omp single // <A>
        norm += next[step]; // <A>
    } // <A>
    printf("%g\n", norm);
    return 0;
}
