// The threads of a team want a mutex of POSIX threads most of the time.
#include "truth.h"
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    double begin = now();
    own_t own[2] = {{0}}, asleep[2] = {{0}};
    #pragma omp parallel num_threads(2) // mark: region
    for (int step = 0; step < 40; step++) { // disease: blocked anywhere
        int me = omp_get_thread_num();
        own[me].seconds += burn(0.002);
        double from = now();
        pthread_mutex_lock(&mutex);
        asleep[me].seconds += now() - from;
        own[me].seconds += burn(0.008);
        pthread_mutex_unlock(&mutex);
        own[me].seconds += burn(0.001);
    }
    truth("work@region", sum_of(own, 2));
    truth("blocked.pthread_mutex_lock@region", sum_of(asleep, 2));
    truth("elapsed", now() - begin);
}
