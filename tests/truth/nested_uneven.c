// A region of one thread that contains an uneven region of two.
#include "truth.h"

APART void inner(double *work, double *apart)
{
    double one = 0, two = 0;
    #pragma omp parallel num_threads(2) // mark: inner, disease: imbalance
    if (omp_get_thread_num())
        one = burn(0.020);
    else
        two = burn(0.005);
    *work += one + two;
    *apart += one > two ? one - two : two - one;
}

int main(void)
{
    double begin = now(), work = 0, apart = 0, own = 0;
    omp_set_max_active_levels(2);
    #pragma omp parallel num_threads(1) // mark: outer
    for (int step = 0; step < 25; step++) {
        own += burn(0.003);
        inner(&work, &apart);
    }
    truth("work@inner", work);
    truth("imbalance@inner", apart);
    truth("gain@inner", apart / 2);
    truth("instances@inner", 25);
    truth("elapsed", now() - begin);
}
