// A lock in memory that two processes share: the other one holds it. Its holder's number is one of
// that process, and no thread here.
// @kind: holder-elsewhere
// @says: share
// @alone
#include "hang.h"

#include <sys/mman.h>
#include <sys/prctl.h>

struct common {
    omp_lock_t lock;
    volatile int taken;
};

int main(void) {
    struct common *all =
        mmap(0, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int sum = 0;
    omp_init_lock(&all->lock);
    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, 9);
        alarm(240);
        omp_set_lock(&all->lock);
        all->taken = 1;
        for (;;) pause();
    }
    while (!all->taken) usleep(1000);
    ready();
    #pragma omp parallel num_threads(2)
    {
        omp_set_lock(&all->lock); // <A>
        sum++;
        omp_unset_lock(&all->lock);
    }
    return sum;
}
