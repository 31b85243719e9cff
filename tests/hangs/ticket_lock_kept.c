// A way out of a function leaves a lock taken that gives numbers out, and that lies in memory which
// the program has asked for.
// @kind: spins
// @stock: spins
// @alone
// @says: move has a way out at ticket_lock_kept.c:36
// @never: has a way past
#include "hang.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

struct cell {
    atomic_uint next, serving;
    double mass;
};

__attribute__((noinline)) static void enter(struct cell *cell) {
    unsigned own = atomic_fetch_add(&cell->next, 1);
    while (atomic_load(&cell->serving) != own) // <A>
        sched_yield();                         // <A>
}

__attribute__((noinline)) static void leave(struct cell *cell) {
    atomic_fetch_add(&cell->serving, 1); // <B>
}

__attribute__((noinline)) static int move(struct cell *cells, int count) {
    int left_out = 0;
    for (int at = 0; at < count; at++) {
        struct cell *cell = &cells[at % 4];
        enter(cell);
        if (cell->mass > 5) {
            left_out++;
            continue;
        }
        cell->mass += 1;
        leave(cell);
    }
    return left_out;
}

int main(void) {
    struct cell *cells = calloc(4, sizeof *cells);
    int sum = 0;
    ready();
    #pragma omp parallel num_threads(3) reduction(+ : sum)
    sum += move(cells, 100);
    return sum;
}
