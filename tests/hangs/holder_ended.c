// A lock whose thread has ended.
// @kind: holder-gone
#include "hang.h"

static omp_lock_t lock;

static void *take(void *unused) {
    omp_set_lock(&lock); // <B>
    return unused;
}

int main(void) {
    pthread_t thread;
    omp_init_lock(&lock);
    ready();
    pthread_create(&thread, NULL, take, NULL);
    pthread_join(thread, NULL);
    #pragma omp parallel num_threads(2)
    {
        omp_set_lock(&lock); // <A>
        omp_unset_lock(&lock);
    }
    return 0;
}
