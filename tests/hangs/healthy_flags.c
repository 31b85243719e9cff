// Nothing is wrong: two threads hand a flag to and fro in loops that poll it, and a third one
// counts naps.
// @kind: none
// @also: -O0
#include <stdatomic.h>
#include "hang.h"

static atomic_int turn;
static atomic_long rounds, naps;

int main(void) {
    ready();
    #pragma omp parallel num_threads(3)
    {
        int me = omp_get_thread_num();
        for (int i = 0; i < 1000000; i++) {
            if (me < 2) {
                while (atomic_load(&turn) != me) usleep(300);
                usleep(300);
                atomic_fetch_add(&rounds, 1);
                atomic_store(&turn, 1 - me);
            } else {
                int left = 100;
                while (left-- > 0) usleep(1000);
                atomic_fetch_add(&naps, 100);
            }
        }
    }
    return 0;
}
