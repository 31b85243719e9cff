// A thread holds a lock in taskwait; the task wants the lock.
// @kind: task-in-cycle
#include "hang.h"

static omp_lock_t lock;
static int sum;

int main(void) {
    omp_init_lock(&lock);
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            omp_set_lock(&lock);
            #pragma omp task
            {
                omp_set_lock(&lock); // <A>
                sum++;
                omp_unset_lock(&lock);
            }
            usleep(300000); // the other member has taken the task
            #pragma omp taskwait // <B>
            omp_unset_lock(&lock);
        }
    }
    return sum;
}
