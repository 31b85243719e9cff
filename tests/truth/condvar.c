// A member of the team waits for a condition that another one makes true late.
#include "truth.h"
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

int main(void)
{
    double begin = now(), asleep = 0;
    own_t own[2] = {{0}};
    int made = 0;
    #pragma omp parallel num_threads(2) // mark: region, disease: blocked
    {
        int me = omp_get_thread_num();
        for (int step = 1; step <= 25; step++) {
            if (me == 0) {
                own[0].seconds += burn(0.015);
                pthread_mutex_lock(&mutex);
                made = step;
                pthread_cond_signal(&changed);
                pthread_mutex_unlock(&mutex);
            } else {
                double from = now();
                pthread_mutex_lock(&mutex);
                while (made < step)
                    pthread_cond_wait(&changed, &mutex);
                pthread_mutex_unlock(&mutex);
                asleep += now() - from;
                own[1].seconds += burn(0.004);
            }
        }
    }
    truth("work@region", sum_of(own, 2));
    truth("blocked.pthread_cond_wait@region", asleep);
    truth("elapsed", now() - begin);
}
