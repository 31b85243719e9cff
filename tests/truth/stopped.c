// The process is stopped for a while, in a region: nobody works then.
#include "truth.h"
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/// What parent and child share.
typedef struct {
    volatile int working, goes_on;
    volatile double stood;
} shared_t;

static own_t work[2];

static double processor_time(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

static void stops(shared_t *shared, pid_t parent)
{
    while (shared->working < 2)
        usleep(1000);
    usleep(200000);
    kill(parent, SIGSTOP);
    double begin = now();
    usleep(500000);
    shared->stood = now() - begin;
    shared->goes_on = 1;
    kill(parent, SIGCONT);
    _exit(0);
}

int main(void)
{
    double begin = now();
    int flags = MAP_SHARED | MAP_ANONYMOUS;
    shared_t *shared = mmap(0, sizeof *shared, PROT_READ | PROT_WRITE, flags, -1, 0);
    pid_t parent = getpid(), child = fork();
    if (!child)
        stops(shared, parent);
    double entered = now();
    #pragma omp parallel num_threads(2) // mark: region, disease: blocked
    {
        double began = now();
        __sync_fetch_and_add(&shared->working, 1);
        while (!shared->goes_on)
            burn(0.001);
        for (double used = processor_time(); processor_time() < used + 0.05;)
            burn(0.001);
        work[omp_get_thread_num()].seconds += now() - began - shared->stood;
    }
    truth("region@region", now() - entered);
    truth("blocked@region", 2 * shared->stood);
    truth("work@region", sum_of(work, 2));
    waitpid(child, 0, 0);
    truth("elapsed", now() - begin);
}
