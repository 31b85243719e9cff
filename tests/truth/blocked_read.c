// One thread of a team reads from a pipe that a POSIX thread fills slowly.
#include "truth.h"
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *unused)
{
    for (int i = 0; i < 20; i++) {
        usleep(30000);
        if (write(ends[1], "x", 1) != 1)
            abort();
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    double begin = now(), asleep = 0, work = 0;
    if (pipe(ends))
        return 1;
    #pragma omp parallel num_threads(2) reduction(+ : asleep, work) // mark: region, disease: blocked
    {
        #pragma omp single nowait
        {
            char byte;
            pthread_create(&thread, 0, writer, 0);
            for (int i = 0; i < 20; i++) {
                double from = now();
                if (read(ends[0], &byte, 1) != 1)
                    abort();
                asleep += now() - from;
            }
        }
        work += burn(0.1);
    }
    pthread_join(thread, 0);
    truth("blocked.read@region", asleep);
    truth("work@region", work);
    truth("elapsed", now() - begin);
}
