// @env: OMP_PLACES=threads
// @env: OMP_PROC_BIND=close
// healthy
// Each thread is bound to a processor of its own: the first one to one of several.
#include "truth.h"

int main(void)
{
    int cpus = omp_get_num_procs();
    double begin = now(), work = 0;
    for (int step = 0; step < 5; step++) {
        #pragma omp parallel num_threads(2) reduction(+ : work) // mark: region
        work += burn(0.010);
    }
    truth("work@region", work);
    truth("cpus", cpus < 2 ? cpus : 2);
    truth("elapsed", now() - begin);
}
