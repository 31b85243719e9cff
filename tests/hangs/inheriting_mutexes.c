// Two mutexes with priority inheritance in a circle.
// @kind: waits-for-ever
// @says: which the kernel refused since that closes a circle
// @never: ended
// @alone
// @also: -O0
#include "hang.h"
static pthread_mutex_t first, second;
static void make(pthread_mutex_t *mutex) {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_setprotocol(&kind, PTHREAD_PRIO_INHERIT);
    pthread_mutex_init(mutex, &kind);
}
int main(void) {
    make(&first);
    make(&second);
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num()) {
            pthread_mutex_lock(&second);
            wait_for_all(2);
            pthread_mutex_lock(&first); // <A>
            usleep(1);
            pthread_mutex_unlock(&first);
        } else {
            pthread_mutex_lock(&first);
            wait_for_all(2);
            pthread_mutex_lock(&second); // <B>
            pthread_mutex_unlock(&second);
        }
    }
    return 0;
}
