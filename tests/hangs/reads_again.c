// A reader reads again while a writer waits: writers come first.
// @kind: waits-for-ever
// @says: thread 0 took the lock for reading at reads_again.c:24
// @says: to read the read-write lock 'table' again: it holds it for reading already
// @never: at 0x
// @alone
// @also: -O0
#define _GNU_SOURCE
#include "hang.h"
static pthread_rwlock_t table;
int main(void) {
    pthread_rwlockattr_t kind;
    pthread_rwlockattr_init(&kind);
    pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&table, &kind);
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num()) {
            wait_for_all(2);
            pthread_rwlock_wrlock(&table); // <A>
            pthread_rwlock_unlock(&table);
        } else {
            pthread_rwlock_rdlock(&table);
            wait_for_all(2);
            pause_a_little();
            pthread_rwlock_rdlock(&table); // <B>
            pthread_rwlock_unlock(&table);
            pthread_rwlock_unlock(&table);
        }
    }
    return 0;
}
