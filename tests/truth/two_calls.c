// One function's region that is entered from two places, and one that is inlined.
#include "truth.h"

APART void shared(double seconds, double *work)
{
    #pragma omp parallel num_threads(2) // mark: shared
    {
        double took = burn(seconds);
        #pragma omp atomic
        *work += took;
    }
}

static inline void inlined(double seconds, double *work)
{
    #pragma omp parallel num_threads(2) // mark: inlined
    {
        double took = burn(seconds);
        #pragma omp atomic
        *work += took;
    }
}

int main(void)
{
    double begin = now(), first = 0, second = 0;
    for (int step = 0; step < 10; step++) {
        shared(0.004, &first);
        inlined(0.006, &second);
        shared(0.008, &first);
    }
    truth("work@shared", first);
    truth("work@inlined", second);
    truth("instances@shared", 20);
    truth("instances@inlined", 10);
    truth("elapsed", now() - begin);
}
