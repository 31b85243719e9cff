// The deadline is of CLOCK_REALTIME, and the condition variable counts by CLOCK_MONOTONIC.
// @kind: condition-not-signalled
// @says: its deadline is the time of CLOCK_REALTIME, and the wait counts by CLOCK_MONOTONIC.
// @stock: condition-not-signalled
#include "hang.h"

#include <time.h>

static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t tick;
static int steps_left = 3;

static void sample(void) {
    pthread_mutex_lock(&own);
    while (steps_left-- > 0) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec++;
        pthread_cond_timedwait(&tick, &own, &until); // <A>
    }
    pthread_mutex_unlock(&own);
}

int main(void) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&tick, &attributes);
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num()) sample();
        #pragma omp barrier
    }
    return 0;
}
