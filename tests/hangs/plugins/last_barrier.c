// The region is the last thing in its function, and a barrier the last thing in the region:
// compilers jump to both, and the return addresses are those of who called.
// @kind: barrier-in-cycle
#include <omp.h>
static omp_nest_lock_t lock;
void work(void) {
    omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 1) omp_set_nest_lock(&lock);
#pragma omp barrier
        if (omp_get_thread_num() == 2) omp_set_nest_lock(&lock); // <A>
#pragma omp barrier // <B>
    }
}
