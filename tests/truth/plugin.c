// healthy
// A library that is loaded at run time has a region, and the program another.
// @flags: -ldl
#include "truth.h"
#include <dlfcn.h>

int main(int count, char **arguments)
{
    double begin = now(), work = 0, theirs = 0;
    void *library = dlopen(count > 1 ? arguments[1] : "", RTLD_NOW);
    double (*step)(void) = library ? (double (*)(void))dlsym(library, "step") : 0;
    if (!step)
        return 1;
    for (int i = 0; i < 20; i++) {
        theirs += step();
        #pragma omp parallel num_threads(2) reduction(+ : work) // mark: region
        work += burn(0.010);
    }
    truth("work@region", work);
    truth("work", work + theirs);
    truth("elapsed", now() - begin);
}
