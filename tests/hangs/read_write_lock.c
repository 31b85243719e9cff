// The writer of a read-write lock wants an OpenMP lock, whose holder wants to read.
// @kind: lock-cycle
// @says: waits for the read-write lock 'table', which thread
#define _GNU_SOURCE
#include "hang.h"

static omp_lock_t lock;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    omp_init_lock(&lock);
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num()) {
            pthread_rwlock_wrlock(&table); // <B>
            wait_for_all(2);
            omp_set_lock(&lock); // <A>
            omp_unset_lock(&lock);
            pthread_rwlock_unlock(&table);
        } else {
            omp_set_lock(&lock);
            wait_for_all(2);
            pthread_rwlock_rdlock(&table); // <A>
            pthread_rwlock_unlock(&table);
            omp_unset_lock(&lock);
        }
    }
    return 0;
}
