// Threads try for a mutex again and again, and let others run; its holder waits at a barrier for
// them: that is one cause.
// @kind: barrier-in-cycle
// @says: again and again (pthread_mutex_trylock, tries_of_several.c
// @alone
// @also: -O0
#include <sched.h>
#include "hang.h"

struct Cell { long key; pthread_mutex_t guard; long value; };

static void __attribute__((noinline)) enter(struct Cell *cell) {
    while (pthread_mutex_trylock(&cell->guard) != 0) // <A>
        sched_yield(); // <A>
}

int main(void) {
    static struct Cell cell = { 1, PTHREAD_MUTEX_INITIALIZER, 0 };
    ready();
    #pragma omp parallel num_threads(3)
    {
        enter(&cell);
        cell.value++;
        #pragma omp barrier // <B>
        pthread_mutex_unlock(&cell.guard);
    }
    return 0;
}
