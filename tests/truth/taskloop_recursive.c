// healthy
// A function that divides its range by a taskloop with a grainsize, whose tasks call it again.
#include "truth.h"

static own_t leaves[2], inner[2];

APART void divide(int depth)
{
    if (depth == 0) {
        leaves[omp_get_thread_num()].seconds += burn(0.004);
        return;
    }
    inner[omp_get_thread_num()].seconds += burn(0.0005);
    #pragma omp taskloop grainsize(2) // mark: loop
    for (int i = 0; i < 6; i++)
        divide(depth - 1);
}

int main(void)
{
    double begin = now();
    #pragma omp parallel num_threads(2) // mark: region
    #pragma omp single
    divide(3);
    truth("tasks@loop", 3 + 6 * 3 + 36 * 3);
    truth("work@region", sum_of(leaves, 2) + sum_of(inner, 2));
    truth("elapsed", now() - begin);
}
