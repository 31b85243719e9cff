// Its teams have eight times as many threads as there are CPUs.
// limit: oversubscription
// has: more threads than
#include "limit.h"

APART void sweep(int threads)
{
    #pragma omp parallel for schedule(static) num_threads(threads)
    for (int i = 0; i < 1024; i++)
        WORK(20000);
}

int main(void)
{
    for (int step = 0; step < 10; step++)
        sweep(8 * omp_get_num_procs());
    puts("done");
    return 0;
}
