/* A library with a region in it, to be loaded by a program of another compiler. */
#include <omp.h>

int library_region(int threads)
{
    int sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
    {
        sum += 1;
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 10; i++)
            sum += 0;
#pragma omp critical(shared_name)
        sum += 0;
    }
    return sum;
}

int library_max_threads(void)
{
    return omp_get_max_threads();
}
