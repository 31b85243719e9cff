// Each thread takes the lock of its own cell, and tries for its neighbour's again and again: a
// circle. The code reaches the locks through a number in memory, and counts what it tried.
// @kind: lock-cycle
// @says: each for a lock that the next one holds
// @stock-says: tried for the lock 'locks[
// @also: -O1
#include "hang.h"

enum { CELLS = 3 };

static omp_lock_t locks[CELLS];
static double mass[CELLS];
static int polls[CELLS];

static void __attribute__((noinline)) exchange(const int *own, const int *other) {
    omp_set_lock(&locks[*own]);
    wait_for_all(CELLS);
    while (!omp_test_lock(&locks[*other])) // <A>
        polls[*own]++;
    mass[*own] -= 1, mass[*other] += 1;
    omp_unset_lock(&locks[*other]);
    omp_unset_lock(&locks[*own]);
}

int main(void) {
    int cells[CELLS + 1];
    for (int at = 0; at <= CELLS; at++) cells[at] = at % CELLS;
    for (int at = 0; at < CELLS; at++) omp_init_lock(&locks[at]);
    ready();
    #pragma omp parallel num_threads(CELLS)
    {
        int me = omp_get_thread_num();
        exchange(&cells[me], &cells[me + 1]);
    }
    printf("%g %d\n", mass[0], polls[0]);
    return 0;
}
