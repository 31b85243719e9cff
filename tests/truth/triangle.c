// A triangular space: unequal shares where the outer loop is shared, equal ones where it is
// collapsed.
// @compilers: gcc — clang collapses a triangle as a square
#include "truth.h"

int main(void)
{
    double begin = now();
    own_t plain[2] = {{0}}, collapsed[2] = {{0}};
    enum { N = 30 };
    #pragma omp parallel num_threads(2) // mark: uneven, disease: imbalance
    {
        int me = omp_get_thread_num();
        #pragma omp for schedule(static) // mark: plain
        for (int i = 0; i < N; i++)
            for (int j = 0; j <= i; j++)
                plain[me].seconds += burn(0.001);
    }
    #pragma omp parallel num_threads(2) // mark: even
    {
        int me = omp_get_thread_num();
        #pragma omp for collapse(2) // mark: collapsed
        for (int i = 0; i < N; i++)
            for (int j = 0; j <= i; j++)
                collapsed[me].seconds += burn(0.001);
    }
    truth("work@uneven", sum_of(plain, 2));
    truth("work@even", sum_of(collapsed, 2));
    truth("imbalance@uneven", plain[1].seconds - plain[0].seconds);
    truth("gain@uneven", (plain[1].seconds - plain[0].seconds) / 2);
    truth("elapsed", now() - begin);
}
