// A semaphore that nobody posts.
// @kind: waits-for-ever
#include "hang.h"

#include <semaphore.h>

int main(void) {
    int sum = 0;
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        if (omp_get_thread_num() == 1) sem_wait(&semaphore); // <A>
        #pragma omp barrier // <B>
        sum++;
    }
    return sum;
}
