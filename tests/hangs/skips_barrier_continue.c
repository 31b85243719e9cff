// A member of the team has nothing to do in one round, and goes on to the next without its barrier.
// @kind: barrier-not-met
// @says: the barrier at
// @also: -O0
#include "hang.h"

#define CELLS 300
#define ROUNDS 4

static double now[CELLS], next[CELLS];

// Where each member begins in each round.
static int begins[3][ROUNDS];

static void smooth(int from, int to) {
    for (int at = from; at < to; at++) {
        double left = at > 0 ? now[at - 1] : 0, right = at + 1 < CELLS ? now[at + 1] : 0;
        next[at] = 0.25 * left + 0.5 * now[at] + 0.25 * right;
    }
}

int main(void) {
    for (int at = 0; at < CELLS; at++) now[at] = at % 7;
    for (int at = 0; at < 3 * ROUNDS; at++) begins[at / ROUNDS][at % ROUNDS] = at / ROUNDS * 100;
    begins[2][1] = 300;
    ready();
    #pragma omp parallel num_threads(3)
    {
        int me = omp_get_thread_num();
        for (int round = 0; round < ROUNDS; round++) {
            int from = begins[me][round], to = (me + 1) * 100;
            if (from >= to)
                continue; // <B>
            smooth(from, to);
            #pragma omp barrier // <A>
            for (int at = from; at < to; at++) now[at] = next[at];
        }
    }
    printf("%g\n", now[5]);
    return 0;
}
