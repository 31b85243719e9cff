// A pthread mutex whose thread has ended.
// @kind: holder-gone
#include "hang.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *take(void *unused) {
    pthread_mutex_lock(&mutex); // <B>
    return unused;
}

int main(void) {
    pthread_t thread;
    ready();
    pthread_create(&thread, NULL, take, NULL);
    pthread_join(thread, NULL);
    #pragma omp parallel num_threads(2)
    {
        pthread_mutex_lock(&mutex); // <A>
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}
