// A loop is met by the primary thread alone: its barrier is taken for the next one, so the members
// stand elsewhere when they wait for each other.
// @kind: barrier-not-met
// @also: -O0
// @says: They parted at barrier 1 of the region
#include "hang.h"

static int cells[1000];

__attribute__((noinline)) static void clear(void) {
    #pragma omp for // <A>
    for (int i = 0; i < 1000; i++) // <A>
        cells[i] = 0; // <A>
} // <A>

int main(void) {
    ready();
    #pragma omp parallel num_threads(3)
    {
        #pragma omp master
        clear(); // <A>
        #pragma omp barrier // <B>
        #pragma omp atomic
        cells[0]++;
    }
    return cells[0] == 0;
}
