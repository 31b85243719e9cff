// Sets joined without a lock: two threads, each of which has found two roots, hang each root below
// the other one. The parents are a circle then, and the search for a root never ends.
// @kind: spins
// @says: walks in a circle of 2 elements (parent[
// @says: by 'parent' each leads to the next one
// @says: The code writes such variables at union_find.c:
// @stock: spins
// @also: -O0
#include "hang.h"

enum { SIZE = 1000 };
static int parent[SIZE], found;

static int __attribute__((noinline)) root_of(int at) {
    while (parent[at] != at) at = parent[at]; // <A>
    return at;
}

static void __attribute__((noinline)) join(int one, int other) {
    int from = root_of(one), to = root_of(other);
    __atomic_add_fetch(&found, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&found, __ATOMIC_SEQ_CST) < 2) {}
    parent[from] = to; // <B>
}

int main(void) {
    const int edges[2][2] = {{3, 7}, {7, 3}};
    int roots = 0;
    for (int at = 0; at < SIZE; at++) parent[at] = at;
    ready();
    #pragma omp parallel num_threads(2)
    {
        join(edges[omp_get_thread_num()][0], edges[omp_get_thread_num()][1]);
        #pragma omp barrier
        #pragma omp for reduction(+ : roots)
        for (int at = 0; at < SIZE; at++) roots += root_of(at) == at;
    }
    printf("%d\n", roots);
    return 0;
}
