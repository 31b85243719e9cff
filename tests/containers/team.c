// Two threads at work for a while.
#include <time.h>

static double used(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

int main(void)
{
    #pragma omp parallel num_threads(2)
    for (double until = used() + 0.3; used() < until;)
        continue;
}
