// The first thread leaves by pthread_exit; a POSIX thread goes on with regions.
#include "truth.h"
#include <pthread.h>

static double begin, serial;

static void *rest(void *unused)
{
    double work = 0;
    for (int step = 0; step < 20; step++) {
        #pragma omp parallel num_threads(2) reduction(+ : work) // mark: region
        work += burn(0.020);
        serial += burn(0.005);
    }
    truth("work@region", work);
    truth("instances@region", 20);
    truth("elapsed", now() - begin);
    return unused;
}

int main(void)
{
    pthread_t thread;
    begin = now();
    pthread_create(&thread, 0, rest, 0);
    pthread_detach(thread);
    pthread_exit(0);
}
