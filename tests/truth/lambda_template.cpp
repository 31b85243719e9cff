// healthy
// Two lambdas of one type are handed to one function template, whose region calls them.
#include "truth.h"

static own_t own[2];

static void spend(double seconds) { own[omp_get_thread_num()].seconds += burn(seconds); }

template <class F> inline void parallel_for(int count, F each)
{
    #pragma omp parallel for schedule(static) num_threads(2) // mark: region
    for (int i = 0; i < count; i++)
        each(i);
}

int main()
{
    double begin = now();
    for (int step = 0; step < 10; step++) {
        parallel_for(4, [](int) { spend(0.008); }); // mark: first
        parallel_for(8, [](int) { spend(0.002); }); // mark: second
    }
    truth("work@region", sum_of(own, 2));
    truth("instances@region", 20);
    truth("elapsed", now() - begin);
}
