// A target construct with nowait is executed by a hidden helper thread, which reads from a pipe.
// @kind: system-call
// @says: helper thread
// @alone
#include "hang.h"

#include <stdlib.h>

int main(int argc, char **argv) {
    int ends[2], sum = 0;
    if (!getenv("OMPHALOS_DEVICES")) {
        setenv("OMPHALOS_DEVICES", "host", 1);
        return execv("/proc/self/exe", argv);
    }
    if (pipe(ends)) return argc;
    int from = ends[0];
    ready();
    #pragma omp parallel num_threads(2)
    #pragma omp single
    {
        #pragma omp target nowait map(tofrom: sum) firstprivate(from) depend(out: sum) // <A>
        {
            char byte;
            sum += (int)read(from, &byte, 1); // <A>
        }
        #pragma omp task depend(in: sum) shared(sum)
        sum++;
        #pragma omp taskwait
    }
    return sum;
}
