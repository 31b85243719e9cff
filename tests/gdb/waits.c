/* Two threads that wait for each other, one of them for a mutex that OpenMP does not know. */
#include <omp.h>
#include <pthread.h>
#include <unistd.h>

static omp_lock_t lock;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    alarm(240);
    omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
    {
        int me = omp_get_thread_num();
        if (me) {
            omp_set_lock(&lock); /* takes the lock */
        } else {
            pthread_mutex_lock(&mutex); /* takes the mutex */
        }
#pragma omp barrier
        if (me) {
            pthread_mutex_lock(&mutex); /* mutex */
            pthread_mutex_unlock(&mutex);
        } else {
            omp_set_lock(&lock); /* lock */
            omp_unset_lock(&lock);
        }
    }
    return 0;
}
