// healthy
// Outside of its regions the program has two POSIX threads at work: that is not serial.
#include "truth.h"
#include <pthread.h>

static void *half(void *took)
{
    double from = computed();
    burn(0.030);
    *(double *)took += computed() - from;
    return took;
}

int main(void)
{
    double begin = now(), work = 0, theirs = 0, own = 0;
    for (int step = 0; step < 12; step++) {
        pthread_t thread;
        pthread_create(&thread, 0, half, &theirs);
        half(&own);
        pthread_join(thread, 0);
        #pragma omp parallel num_threads(2) reduction(+ : work) // mark: region
        work += burn(0.010);
    }
    truth("others", theirs);
    truth("work@region", work);
    truth("elapsed", now() - begin);
}
