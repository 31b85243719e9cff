// Each tile's task polls for a number that another task computes, which depends on that very task.
// @kind: spins
// @says: comes to where the code writes that, but begins only when the task that
// @never: are ready
#include <stdatomic.h>
#include "hang.h"

#define TILES 6

static struct {
    double sum;
    atomic_int has_norm;
} tiles[TILES];

static void __attribute__((noinline)) compute_norm(int at) {
    tiles[at].sum = at;
    atomic_store(&tiles[at].has_norm, 1); // <B>
}

static void __attribute__((noinline)) factor(int at) {
    while (!atomic_load(&tiles[at].has_norm)) {} // <A>
    tiles[at].sum *= 2;
}

int main(void) {
    ready();
    #pragma omp parallel num_threads(2)
    #pragma omp single
    for (int at = 0; at < TILES; at++) {
        #pragma omp task depend(out : tiles[at]) firstprivate(at)
        factor(at);
        #pragma omp task depend(in : tiles[at]) firstprivate(at)
        {
            compute_norm(at);
            tiles[at].sum += 1;
        }
    }
    return 0;
}
