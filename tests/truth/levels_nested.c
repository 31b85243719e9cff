// @env: OMP_MAX_ACTIVE_LEVELS=3
// Nested regions whose team sizes are said by clauses, one of them inside of a team of one.
#include "truth.h"

static own_t inner[2];

int main(void)
{
    double begin = now(), pair = 0;
    #pragma omp parallel num_threads(2) // mark: outer
    for (int i = 0; i < 10; i++) {
        int me = omp_get_thread_num();
        burn(0.005);
        #pragma omp parallel num_threads(1) // mark: inner
        inner[me].seconds += burn(0.010);
    }
    for (int i = 0; i < 10; i++) {
        #pragma omp parallel num_threads(1) reduction(+ : pair) // mark: alone
        {
            #pragma omp parallel num_threads(2) reduction(+ : pair) // mark: pair
            pair += burn(0.004);
        }
    }
    truth("work@inner", sum_of(inner, 2));
    truth("instances@inner", 20);
    truth("work@pair", pair);
    truth("instances@pair", 10);
    truth("instances@alone", 10);
    truth("elapsed", now() - begin);
}
