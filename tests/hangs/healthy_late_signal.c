// Consumers wait in loops for a producer that takes its time, and passes over some of its rounds.
// @kind: none
#include "hang.h"

#include <semaphore.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static sem_t posts;
static int left;

static void produce(int round) {
    usleep(5000);
    if (round % 3 == 0) return;
    pthread_mutex_lock(&mutex);
    left++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
    sem_post(&posts);
}

static void consume(void) {
    pthread_mutex_lock(&mutex);
    while (!left) pthread_cond_wait(&filled, &mutex);
    left--;
    pthread_mutex_unlock(&mutex);
}

int main(void) {
    sem_init(&posts, 0, 0);
    ready();
    #pragma omp parallel num_threads(3)
    {
        int me = omp_get_thread_num();
        for (int round = 0; round < 300000; round++) {
            if (me == 0) produce(round);
            else if (round % 3 == 0) continue;
            else if (me == 1) consume();
            else sem_wait(&posts);
        }
    }
    return left;
}
