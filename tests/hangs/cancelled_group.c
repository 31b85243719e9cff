// A cancelled taskgroup still waits for a task that has begun: that one reads from a pipe.
// @kind: system-call
// @also: -O0
#include "hang.h"

#include <stdlib.h>

int main(int argc, char **argv) {
    int ends[2], sum = 0;
    if (!omp_get_cancellation()) {
        setenv("OMP_CANCELLATION", "true", 1);
        return execv("/proc/self/exe", argv);
    }
    if (pipe(ends)) return argc;
    ready();
    #pragma omp parallel num_threads(2)
    #pragma omp single
    {
        #pragma omp taskgroup
        {
            volatile int begun = 0;
            #pragma omp task shared(sum, begun)
            {
                char byte;
                begun = 1;
                sum += (int)read(ends[0], &byte, 1); // <A>
            }
            while (!begun) usleep(1000);
            #pragma omp task shared(sum) // <B>
            {
                sum++;
                #pragma omp cancel taskgroup
            }
        } // <B>
    }
    return sum;
}
