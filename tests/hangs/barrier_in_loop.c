// A member leaves the loop one round before the others.
// @kind: barrier-not-met
// @stock-says: comes to the barrier at barrier_in_loop.c:
#include "hang.h"

static int rounds;

int main(void) {
    ready();
    #pragma omp parallel num_threads(3) // <B>
    {
        int last = omp_get_thread_num() == 1 ? 99 : 100;
        for (int i = 0; i < last; i++) {
            #pragma omp master
            rounds++;
            #pragma omp barrier // <A>
        }
    }
    return rounds;
}
