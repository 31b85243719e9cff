/* What control.py calls. */
#include <omp.h>

static void burn(double seconds)
{
    double end = omp_get_wtime() + seconds;
    while (omp_get_wtime() < end)
        ;
}

void measured(void)
{
    #pragma omp parallel num_threads(2) // measured
    burn(0.2);
}

void unmeasured(void)
{
    #pragma omp parallel num_threads(2) // unmeasured
    burn(0.1);
}
