// A pthread barrier for more threads than come.
// @kind: waits-for-ever
// @says: (3 of the 4 threads that it is for have come)
// @alone
#include "hang.h"

int main(void) {
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, 4);
    ready();
    #pragma omp parallel num_threads(3) // <A>
    pthread_barrier_wait(&barrier); // <A>
    return 0;
}
