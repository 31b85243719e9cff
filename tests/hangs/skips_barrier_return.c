// A step of a solver returns at once where a part has no cells, before the barrier that the others
// wait at.
// @kind: barrier-not-met
// @says: the barrier at
// @also: -O0
#include "hang.h"

struct part {
    int first;
    int count;
};

static const struct part parts[4] = {{0, 40}, {40, 40}, {80, 0}, {80, 40}};
static double field[120], flux[120];

__attribute__((noinline)) static double advance(const struct part *part, double step) {
    double most = 0;
    if (part->count == 0) {
        return 0; // <B>
    }
    for (int at = part->first; at < part->first + part->count; at++)
        flux[at] = at > 0 ? field[at] - field[at - 1] : 0;
    #pragma omp barrier // <A>
    for (int at = part->first; at < part->first + part->count; at++) {
        field[at] -= step * flux[at];
        if (flux[at] > most) most = flux[at];
    }
    return most;
}

int main(void) {
    double most = 0;
    for (int at = 0; at < 120; at++) field[at] = at * 0.5;
    ready();
    #pragma omp parallel num_threads(4) reduction(max : most)
    {
        int me = omp_get_thread_num();
        most = advance(&parts[me], 0.1);
    }
    printf("%g %g\n", most, field[7]);
    return 0;
}
