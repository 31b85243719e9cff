/* A thread that computes in a critical section without a name, one that waits for it, one that
 * reads, and one that waits for what that one holds. */
#include <omp.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int held, taken, turns;

int main(void)
{
    int ends[2];
    alarm(240);
    if (pipe(ends)) {
        return 1;
    }
#pragma omp parallel num_threads(4)
    {
        int me = omp_get_thread_num();
        char byte;
        if (me == 1) {
#pragma omp critical
            {
                held = 1;
                for (;;) {
                    turns++; /* computes */
                }
            }
        } else if (me == 2) {
            pthread_mutex_lock(&mutex);
            taken = 1;
            held += read(ends[0], &byte, 1) == 1; /* reads */
        } else if (me == 3) {
            while (!taken) {
            }
            pthread_mutex_lock(&mutex); /* locks */
            turns++;
            pthread_mutex_unlock(&mutex);
        } else {
            while (!held) {
            }
#pragma omp critical /* waits */
            held = 2;
        }
    }
    return 0;
}
