// Three processes meet at a barrier in shared memory, and one ends early; their parent waits for
// the first one.
// @kind: waits-for-ever
// @says: , as this one is, has ended with exit status 3
#include "hang.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <signal.h>

enum { PROCESSES = 3 };

static void run(pthread_barrier_t *met, int me) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    alarm(240);
    for (int step = 0; step < 8; step++) {
        int bad = 0;
        #pragma omp parallel for num_threads(2) reduction(+ : bad)
        for (int at = 0; at < 100; at++) bad += me == 1 && step > 4;
        if (bad) exit(3);
        pthread_barrier_wait(met); // <A>
    }
    exit(0);
}

int main(void) {
    int access = PROT_READ | PROT_WRITE, kind = MAP_SHARED | MAP_ANONYMOUS;
    pthread_barrier_t *met = mmap(NULL, sizeof *met, access, kind, -1, 0);
    if (met == MAP_FAILED) return 1;
    pthread_barrierattr_t attributes;
    pthread_barrierattr_init(&attributes);
    pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(met, &attributes, PROCESSES);
    pid_t children[PROCESSES];
    for (int child = 0; child < PROCESSES; child++)
        if (!(children[child] = fork())) run(met, child);
    printf("child %d\n", (int)children[0]);
    ready();
    for (int child = 0; child < PROCESSES; child++) waitpid(children[child], NULL, 0);
    return 0;
}
