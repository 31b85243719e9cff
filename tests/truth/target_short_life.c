// A thread beside the program's begins so late that it has no sample before the end: it computes
// for less than a tick takes, and is idle for less time than until a look. All of its life is in
// the call paths, as in the table of threads.
// @env: OMPHALOS_DEVICES=host
#include "truth.h"

int main(void)
{
    double took = 0;
    #pragma omp target map(from: took) nowait // mark: kernel
    took = burn(0.002);
    burn(0.035);
    #pragma omp taskwait
    truth("instances@kernel", 1);
    truth("kernels@kernel", 1);
    return took > 0 ? 0 : 1;
}
