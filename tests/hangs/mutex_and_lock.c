// A pthread mutex and an OpenMP lock in a cycle.
// @kind: lock-cycle
#include "hang.h"

static omp_lock_t lock;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    omp_init_lock(&lock);
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num()) {
            omp_set_lock(&lock);
            wait_for_all(2);
            pthread_mutex_lock(&mutex); // <A>
            pthread_mutex_unlock(&mutex);
            omp_unset_lock(&lock);
        } else {
            pthread_mutex_lock(&mutex);
            wait_for_all(2);
            omp_set_lock(&lock); // <B>
            omp_unset_lock(&lock);
            pthread_mutex_unlock(&mutex);
        }
    }
    return 0;
}
// On runtimes that do not tell who holds a lock, the code does.
// @stock: lock-cycle
