// A table of cells grows while a cell's mutex is taken: the copy of the mutex stays taken.
// @kind: barrier-in-cycle
// @says: Perhaps its memory was copied while it was taken (memcpy, an assignment)
// @stock: holder-idle
#include "hang.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    pthread_mutex_t own;
    double mass;
} cell_t;

static cell_t *cells;
static int count = 16;

static void add(int at, double mass) {
    cell_t *cell = &cells[at];
    pthread_mutex_lock(&cell->own); // <A>
    cell->mass += mass;
    usleep(300000);
    pthread_mutex_unlock(&cell->own);
}

static void grow(int more) {
    cell_t *bigger = calloc(more, sizeof *bigger);
    memcpy(bigger, cells, count * sizeof *cells);
    for (int at = count; at < more; at++) pthread_mutex_init(&bigger[at].own, NULL);
    cells = bigger, count = more;
}

int main(void) {
    cells = calloc(count, sizeof *cells);
    for (int at = 0; at < count; at++) pthread_mutex_init(&cells[at].own, NULL);
    ready();
    #pragma omp parallel num_threads(3)
    {
        int me = omp_get_thread_num();
        if (me == 1) add(5, 1);
        if (me == 2) pause_a_little(), grow(32);
    }
    #pragma omp parallel num_threads(3)
    if (omp_get_thread_num() != 1) add(5, 0.25);
    printf("%g\n", cells[5].mass);
    return 0;
}
