// All threads wait for what only tasks would signal that nobody comes to: `nowait` gave the barrier
// up at which they would be executed.
// @kind: condition-not-signalled
// @debuggers
// @says: are ready, and no thread comes to where it would execute them
#include "hang.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t drained = PTHREAD_COND_INITIALIZER;
static int pending = 8;

static void finish(void) {
    pthread_mutex_lock(&mutex);
    if (--pending == 0) pthread_cond_broadcast(&drained);
    pthread_mutex_unlock(&mutex);
}

static void drain(void) {
    pthread_mutex_lock(&mutex);
    while (pending > 0) pthread_cond_wait(&drained, &mutex); // <A>
    pthread_mutex_unlock(&mutex);
}

int main(void) {
    ready();
    #pragma omp parallel num_threads(3)
    {
        #pragma omp single nowait
        for (int i = 0; i < 8; i++) {
            #pragma omp task // <B>
            finish();
        }
        drain();
    }
    return pending;
}
