// What the scripts call: regions that are at work for so many seconds, by .Call and by .C.
#include <Rinternals.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double used(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

static void region(double seconds)
{
    #pragma omp parallel num_threads(2)
    for (double until = used() + seconds; used() < until;)
        continue;
}

SEXP spin(SEXP seconds)
{
    region(Rf_asReal(seconds));
    return R_NilValue;
}

void spin_c(double *seconds)
{
    region(*seconds);
}

// Says that it is there, and stays.
SEXP stand(void)
{
    puts("ready");
    fflush(stdout);
    #pragma omp parallel num_threads(2)
    {
        #pragma omp master
        for (;;)
            pause();
    }
    return R_NilValue;
}
