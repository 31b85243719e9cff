// Functions with early returns, each of which gives the lock back, and slow holders.
// @kind: none
#include "hang.h"

#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int table[64], used;

static int insert(int key) {
    pthread_mutex_lock(&mutex);
    usleep(3000);
    for (int at = 0; at < used; at++) {
        if (table[at] == key) {
            pthread_mutex_unlock(&mutex);
            return 0;
        }
    }
    if (used == 64) {
        pthread_mutex_unlock(&mutex);
        return -1;
    }
    table[used++] = key;
    pthread_mutex_unlock(&mutex);
    return 1;
}

static int insert_if_free(int key) {
    if (pthread_mutex_trylock(&mutex) != 0) return 0;
    int is_new = used < 64;
    if (is_new) table[used++] = key;
    pthread_mutex_unlock(&mutex);
    return is_new;
}

int main(void) {
    long added = 0;
    ready();
    #pragma omp parallel num_threads(4) reduction(+ : added)
    for (int round = 0; round < 100000; round++) {
        added += insert(rand() % 80);
        added += insert_if_free(rand() % 80);
        if (round % 16 == 0) {
            #pragma omp barrier
        }
    }
    return added == 0;
}
