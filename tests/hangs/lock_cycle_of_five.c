// Five threads, each with one lock, wait for the next one's.
// @kind: lock-cycle
#include "hang.h"

static omp_lock_t fork_of[5];

static void eat(int me) {
    omp_set_lock(&fork_of[(me + 1) % 5]); // <A>
    omp_unset_lock(&fork_of[(me + 1) % 5]);
}

int main(void) {
    for (int i = 0; i < 5; i++) omp_init_lock(&fork_of[i]);
    ready();
    #pragma omp parallel num_threads(5)
    {
        int me = omp_get_thread_num();
        omp_set_lock(&fork_of[me]);
        #pragma omp barrier
        eat(me);
        omp_unset_lock(&fork_of[me]);
    }
    return 0;
}
