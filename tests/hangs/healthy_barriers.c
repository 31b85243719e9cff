// Nothing is wrong: rounds with a barrier, slowly.
// @kind: none
#include "hang.h"

int main(void) {
    volatile double sum = 0;
    ready();
    #pragma omp parallel num_threads(2)
    for (int round = 0; round < 1000000; round++) {
        if (omp_get_thread_num() == 0)
            for (int i = 0; i < 200000; i++) sum += i;
        #pragma omp barrier
    }
    return sum > 0;
}
