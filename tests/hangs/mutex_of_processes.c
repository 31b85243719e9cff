// A mutex that two processes share: the other one holds it, and is named.
// @kind: holder-elsewhere
// @says: ('mutex_of_proce')
// @alone
#include "hang.h"

#include <sys/mman.h>
#include <sys/prctl.h>

struct common {
    pthread_mutex_t mutex;
    volatile int taken;
};

int main(void) {
    struct common *all =
        mmap(0, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_t shared;
    pthread_mutexattr_init(&shared);
    pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&all->mutex, &shared);
    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, 9);
        prctl(PR_SET_NAME, "mutex_of_proce");
        alarm(240);
        pthread_mutex_lock(&all->mutex);
        all->taken = 1;
        for (;;) pause();
    }
    while (!all->taken) usleep(1000);
    ready();
    #pragma omp parallel num_threads(2)
    {
        #pragma omp masked
        pthread_mutex_lock(&all->mutex); // <A>
        #pragma omp barrier
    }
    return 0;
}
