// A function returns without giving its lock back, in one region; the next region wants it. Nothing
// on the holder's stack has taken it: the lines that take such locks are said.
// @kind: barrier-in-cycle
// @says: which thread 1 holds (its stack does not show where; the code takes such locks at leaked_lock.c:15)
// @also: -O0
#include "hang.h"

#include <stdlib.h>

static omp_lock_t *locks;
static int count;

__attribute__((noinline)) static void update(int part) {
    // Part 1 keeps its lock.
    omp_set_lock(&locks[part]); // <A>
    count++;
    if (part == 1) return;
    omp_unset_lock(&locks[part]);
}

int main(void) {
    locks = malloc(3 * sizeof *locks);
    for (int at = 0; at < 3; at++) omp_init_lock(&locks[at]);
    ready();
    #pragma omp parallel num_threads(3)
    update(omp_get_thread_num());
    #pragma omp parallel num_threads(3) // <B>
    update((omp_get_thread_num() + 1) % 3);
    free(locks);
    return count;
}
