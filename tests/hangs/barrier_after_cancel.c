// A member leaves out the barrier behind which the others ask whether the region is cancelled.
// @kind: barrier-not-met
// @says: at the end of the region at barrier_after_cancel.c:
// @debuggers
#include "hang.h"

#include <stdlib.h>

int main(int words, char **program) {
    (void)words;
    if (!getenv("OMP_CANCELLATION")) {
        setenv("OMP_CANCELLATION", "true", 1);
        execv("/proc/self/exe", program);
    }
    int sum = 0;
    ready();
    #pragma omp parallel num_threads(3) reduction(+ : sum)
    {
        if (omp_get_thread_num() == 0) {
            #pragma omp cancel parallel if (sum > 5)
        }
        if (omp_get_thread_num() != 2) {
            #pragma omp barrier // <A>
            #pragma omp cancellation point parallel
        }
        sum++;
    }
    return sum;
}
