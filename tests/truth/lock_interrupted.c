// One thread has a lock for itself, and signals interrupt it where it takes that: it never waits.
#include "truth.h"
#include <signal.h>
#include <sys/time.h>

static volatile long handled;

static void handle(int signal)
{
    (void)signal;
    for (int i = 0; i < 500; i++)
        handled++;
}

int main(void)
{
    omp_lock_t lock;
    double begin = now();
    struct itimerval every = {{0, 50}, {0, 50}}, never = {{0, 0}, {0, 0}};
    omp_init_lock(&lock);
    signal(SIGALRM, handle);
    #pragma omp parallel num_threads(1) // mark: region
    {
        setitimer(ITIMER_REAL, &every, 0);
        for (int i = 0; i < 8000; i++) {
            omp_set_lock(&lock); // mark: lock
            burn(0.000001);
            omp_unset_lock(&lock);
            burn(0.00003);
        }
        setitimer(ITIMER_REAL, &never, 0);
    }
    truth("acquisitions@lock", 8000);
    truth("contended@lock", 0);
    truth("elapsed", now() - begin);
}
