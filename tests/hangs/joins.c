// A thread joins one that waits for the lock which the joining one holds.
// @kind: join-in-cycle
#include "hang.h"

static omp_lock_t lock;

static void *work(void *unused) {
    omp_set_lock(&lock); // <A>
    omp_unset_lock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    omp_init_lock(&lock);
    ready();
    omp_set_lock(&lock);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL); // <B>
    omp_unset_lock(&lock);
    return 0;
}
