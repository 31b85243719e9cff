// Two condition variables of one lock: the code signals the wrong one.
// @kind: condition-not-signalled
// @says: signals 'read_done' at
// @says: and nowhere what this thread waits for
// @also: -O0
#include "hang.h"

static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t read_done = PTHREAD_COND_INITIALIZER, write_done = PTHREAD_COND_INITIALIZER;
static int written;

int main(void) {
    ready();
    #pragma omp parallel num_threads(2)
    if (omp_get_thread_num()) {
        pause_a_little();
        pthread_mutex_lock(&own);
        written = 1;
        pthread_cond_signal(&read_done); // <B>
        pthread_mutex_unlock(&own);
    } else {
        pthread_mutex_lock(&own);
        while (!written) pthread_cond_wait(&write_done, &own); // <A>
        pthread_mutex_unlock(&own);
    }
    return 0;
}
