// A task that excludes another one wants a lock that its maker holds while it waits for both.
// @kind: lock-taken-twice
// @says: the lock 'gate'
// @debuggers
#include "hang.h"

static omp_lock_t gate;

int main(void) {
    int x = 0, sum = 0;
    omp_init_lock(&gate);
    ready();
    #pragma omp parallel num_threads(1)
    #pragma omp single
    {
        omp_set_lock(&gate); // <A>
        #pragma omp task depend(mutexinoutset : x) shared(sum)
        {
            omp_set_lock(&gate); // <B>
            sum++;
            omp_unset_lock(&gate);
        }
        #pragma omp task depend(mutexinoutset : x) shared(sum)
        sum += 2;
        #pragma omp taskwait
        omp_unset_lock(&gate);
    }
    return sum;
}
