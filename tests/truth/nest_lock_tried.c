// A nest lock that a recursive function takes at each depth, and that others only try.
#include "truth.h"

static omp_nest_lock_t tree;
static own_t held[2], waited[2], work[2];
static int failed[2];

APART void descend(int me, int depth)
{
    omp_set_nest_lock(&tree);
    held[me].seconds += burn(0.001);
    if (depth > 0)
        descend(me, depth - 1);
    omp_unset_nest_lock(&tree);
}

int main(void)
{
    double begin = now();
    omp_init_nest_lock(&tree);
    #pragma omp parallel num_threads(2) // mark: region
    for (int i = 0; i < 25; i++) {
        int me = omp_get_thread_num();
        double asked = now();
        omp_set_nest_lock(&tree); // mark: first, disease: hot-mutex
        waited[me].seconds += now() - asked;
        descend(me, 4);
        held[me].seconds += burn(0.002);
        omp_unset_nest_lock(&tree);
        while (!omp_test_nest_lock(&tree)) { // mark: tried
            failed[me]++;
            work[me].seconds += burn(0.0005);
        }
        held[me].seconds += burn(0.001);
        omp_unset_nest_lock(&tree);
        work[me].seconds += burn(0.003);
    }
    truth("mutex_wait", sum_of(waited, 2));
    truth("held", sum_of(held, 2));
    truth("work@region", sum_of(work, 2) + sum_of(held, 2));
    truth("elapsed", now() - begin);
}
