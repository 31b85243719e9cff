// A POSIX thread of the program's computes all the time that a team of two is at work.
#include "truth.h"
#include <pthread.h>

static int over;

static void *spins(void *unused)
{
    while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE))
        burn(0.001);
    return unused;
}

int main(void)
{
    pthread_t thread;
    double begin = now(), ran = 0;
    pthread_create(&thread, 0, spins, 0);
    for (int step = 0; step < 40; step++) {
        #pragma omp parallel num_threads(2) reduction(+ : ran) // mark: region, disease: oversubscription
        ran += burn_ran(0.02);
    }
    __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
    pthread_join(thread, 0);
    truth("ran@region", ran);
    truth("elapsed", now() - begin);
}
