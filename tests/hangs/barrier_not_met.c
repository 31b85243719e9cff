// One member goes to the end of the region; the others wait at a barrier before.
// @kind: barrier-not-met
#include "hang.h"

static int sum;

int main(void) {
    ready();
    #pragma omp parallel num_threads(4) // <B>
    {
        if (omp_get_thread_num() != 2) {
            #pragma omp barrier // <A>
            #pragma omp atomic
            sum++;
        }
    }
    return sum;
}
