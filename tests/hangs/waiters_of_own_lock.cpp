// A task takes the lock that the one around it has: one thread waits for itself, and the others,
// which wait for tasks that cannot end, are named with it.
// @kind: lock-taken-twice
// @says: for tasks
#include "hang.h"

static omp_lock_t lock;
static int sum;

int main() {
    omp_init_lock(&lock);
    ready();
    #pragma omp parallel num_threads(2) // <B>
    #pragma omp single
    #pragma omp task
    {
        omp_set_lock(&lock);
        #pragma omp task if (0)
        {
            omp_set_lock(&lock); // <A>
            sum++;
            omp_unset_lock(&lock);
        }
        omp_unset_lock(&lock);
    }
    return sum;
}
