// Two members meet at barriers of two branches, and part so: without optimisation clang makes a
// body in two halves, of which the inner one has the barriers.
// @kind: barrier-not-met
// @says: They parted at barrier 1 of the region: there thread 0 was at parted_in_halves.c
// @never: 0x
// @alone
// @also: -O0
#include "hang.h"

static double part[2];

int main(void) {
    ready();
    #pragma omp parallel num_threads(2)
    {
        int me = omp_get_thread_num();
        part[me] = me;
        if (me == 0) {
            #pragma omp barrier // <A>
            part[me] += part[1];
        }
        #pragma omp for // <B>
        for (int i = 0; i < 2; i++) // <B>
            part[i] *= 2; // <B>
        #pragma omp barrier // (the loop has one before)
        part[me]++;
    }
    return part[0] > 4;
}
