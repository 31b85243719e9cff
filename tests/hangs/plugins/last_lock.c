// A lock is the last thing in a task, whose region is the last thing in its function.
// @kind: lock-taken-twice
#include <omp.h>
#include <unistd.h>
static omp_lock_t lock;
void work(void) {
    omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
    {
#pragma omp master
        {
            omp_set_lock(&lock);
#pragma omp task if (0)
            {
                usleep(1000);
                omp_set_lock(&lock); // <A>
            }
        }
    }
}
