// A condition variable that nobody signals.
// @kind: condition-not-signalled
#include "hang.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t full = PTHREAD_COND_INITIALIZER;
static int count;

int main(void) {
    ready();
    #pragma omp parallel num_threads(3)
    {
        #pragma omp master
        {
            pthread_mutex_lock(&mutex);
            while (!count) pthread_cond_wait(&full, &mutex); // <A>
            pthread_mutex_unlock(&mutex);
        }
        #pragma omp barrier // <B>
        count++;
    }
    return count;
}
