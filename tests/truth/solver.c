// @flags: -ldl
// A solver that is loaded at run time takes a lock for each step.
#include "truth.h"
#ifdef SOLVER
double solve(double *waited)
{
    double work = 0, wait = 0;
    #pragma omp parallel num_threads(2) reduction(+ : work, wait) // mark: region
    for (int i = 0; i < 6; i++) {
        work += burn(0.001);
        double asked = now();
        #pragma omp critical(row) // mark: critical, disease: hot-mutex
        {
            wait += now() - asked;
            work += burn(0.005);
        }
    }
    *waited += wait;
    return work;
}
#else
#include <dlfcn.h>

int main(int count, char **arguments)
{
    double begin = now(), work = 0, waited = 0;
    void *library = dlopen(count > 1 ? arguments[1] : "", RTLD_NOW);
    double (*solve)(double *) = library ? (double (*)(double *))dlsym(library, "solve") : 0;
    if (!solve)
        return 1;
    for (int i = 0; i < 10; i++)
        work += solve(&waited);
    truth("work@region", work);
    truth("mutex_wait@region", waited);
    truth("acquisitions@critical", 120);
    truth("lock_wait@critical", waited);
    truth("elapsed", now() - begin);
}
#endif
