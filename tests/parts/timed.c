/* Regions one after the other for two seconds, and one that lasts. */
#include <omp.h>

static void burn(double seconds)
{
    double end = omp_get_wtime() + seconds;
    while (omp_get_wtime() < end)
        ;
}

int main(void)
{
    double end = omp_get_wtime() + 2;
    #pragma omp parallel num_threads(2) // long
    burn(1);
    while (omp_get_wtime() < end) {
        #pragma omp parallel num_threads(2) // short
        burn(0.005 * (1 + omp_get_thread_num()));
    }
    return 0;
}
