// Two causes that have nothing to do with each other: a circle of locks in one inner team, and a
// thread that reads in the other one.
// @kind: system-call
// @says: file descriptor
#include "hang.h"

static omp_lock_t first, second;
static int ends[2];

static void circle(void) {
    #pragma omp parallel num_threads(2)
    {
        int me = omp_get_thread_num();
        omp_set_lock(me ? &first : &second);
        #pragma omp barrier
        omp_set_lock(me ? &second : &first);
    }
}

static void reads(void) {
    #pragma omp parallel num_threads(2)
    {
        char byte;
        if (omp_get_thread_num() && read(ends[0], &byte, 1)) puts("read"); // <A>
        #pragma omp barrier // <B>
    }
}

int main(void) {
    omp_init_lock(&first);
    omp_init_lock(&second);
    if (pipe(ends)) return 1;
    omp_set_max_active_levels(2);
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num())
            reads();
        else
            circle();
    }
    return 0;
}
