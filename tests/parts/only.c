/* Regions of two functions by turns. It prints how long those of the one took. */
#include <omp.h>
#include <stdio.h>

static void burn(double seconds)
{
    double end = omp_get_wtime() + seconds;
    while (omp_get_wtime() < end)
        ;
}

static void wanted(void)
{
    #pragma omp parallel num_threads(2) // wanted
    burn(0.03 * (1 + omp_get_thread_num()));
}

static void other(void)
{
    #pragma omp parallel num_threads(2) // other
    burn(0.05);
}

int main(void)
{
    double all = 0;
    for (int round = 0; round < 5; round++) {
        double begin = omp_get_wtime();
        wanted();
        all += omp_get_wtime() - begin;
        other();
        burn(0.02);
    }
    printf("elapsed %f\n", all);
    return 0;
}
