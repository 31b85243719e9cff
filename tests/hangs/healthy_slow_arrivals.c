// Threads meet at a pthread barrier, and members of a team at barriers in two branches: one of them
// takes long each time.
// @kind: none
#include "hang.h"

static pthread_barrier_t meeting;
static double sums[3];

static void work(int member) {
    for (int at = 1; at < (member == 1 ? 3000000 : 1000); at++) sums[member] += 1.0 / at;
}

static void *meet(void *argument) {
    int me = (int)(long)argument;
    for (int round = 0; round < 100000; round++) {
        work(me);
        if (sums[me] < 0) break;
        pthread_barrier_wait(&meeting);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&meeting, NULL, 2);
    ready();
    pthread_create(&thread, NULL, meet, (void *)1L);
    #pragma omp parallel num_threads(2)
    {
        int me = omp_get_thread_num();
        for (int round = 0; round < 100000; round++) {
            if (me == 0) pthread_barrier_wait(&meeting);
            if (round % 2) {
                #pragma omp barrier
                sums[2] = sums[0];
            } else {
                if (me == 1) usleep(2000);
                #pragma omp barrier
            }
        }
    }
    pthread_join(thread, NULL);
    return 0;
}
