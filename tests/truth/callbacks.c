// A loaded library's region calls back into the program, which has regions and locks of its own.
// @flags: -ldl
#include "truth.h"
#include <dlfcn.h>

static omp_lock_t shared;
static own_t held[2], waited[2], work[2];
static double own_region;

static void visit(int me)
{
    work[me].seconds += burn(0.002);
    double asked = now();
    omp_set_lock(&shared); // mark: lock, disease: hot-mutex
    waited[me].seconds += now() - asked;
    held[me].seconds += burn(0.006);
    omp_unset_lock(&shared);
}

static void alone(void)
{
    double sum = 0;
    #pragma omp parallel num_threads(2) reduction(+ : sum) // mark: region
    sum += burn(0.003);
    own_region += sum;
}

int main(int count, char **arguments)
{
    double begin = now();
    void *library = dlopen(count > 1 ? arguments[1] : "", RTLD_NOW);
    void (*walk)(void (*)(int), void (*)(void)) = 0;
    if (library)
        walk = (void (*)(void (*)(int), void (*)(void)))dlsym(library, "walk");
    if (!walk)
        return 1;
    omp_init_lock(&shared);
    for (int step = 0; step < 10; step++)
        walk(visit, alone);
    dlclose(library);
    truth("work@region", own_region);
    truth("instances@region", 10);
    truth("lock_wait@lock", sum_of(waited, 2));
    truth("held@lock", sum_of(held, 2));
    truth("acquisitions@lock", 80);
    truth("work", own_region + sum_of(held, 2) + sum_of(work, 2));
    truth("elapsed", now() - begin);
}
