// Two processes exchange halves through shared memory, and meet at a barrier in each step. The
// child makes fewer steps and ends.
// @kind: waits-for-ever
// @says: 'shared->met' (1 of the 2 threads, of several processes, that it is for have come)
// @alone
#include "hang.h"

#include <sys/mman.h>
#include <sys/wait.h>

// So many that a thread's stack lies directly below them, and its record in front of the barrier.
enum { CELLS = 200000 };

typedef struct {
    pthread_barrier_t met;
    double cells[2][CELLS];
} shared_t;

static void run(shared_t *shared, int me, int steps) {
    for (int step = 0; step < steps; step++) {
        #pragma omp parallel for num_threads(2)
        for (int at = 0; at < CELLS; at++) shared->cells[me][at] += at * 0.5;
        pthread_barrier_wait(&shared->met); // <A>
    }
}

int main(void) {
    int access = PROT_READ | PROT_WRITE, kind = MAP_SHARED | MAP_ANONYMOUS;
    shared_t *shared = mmap(NULL, sizeof *shared, access, kind, -1, 0);
    if (shared == MAP_FAILED) return 1;
    pthread_barrierattr_t attributes;
    pthread_barrierattr_init(&attributes);
    pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&shared->met, &attributes, 2);
    if (fork() == 0) {
        run(shared, 1, 4);
        _exit(0);
    }
    run(shared, 0, 4);
    wait(NULL);
    ready();
    run(shared, 0, 1);
    return 0;
}
