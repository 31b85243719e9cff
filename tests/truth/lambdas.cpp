// healthy
// A template makes the region, lambdas are its bodies; and a lambda that contains a region itself.
#include "truth.h"
#include <vector>

static own_t total[4];

template <class Body> static void for_each(int count, Body body)
{
    #pragma omp parallel for schedule(static, 1) num_threads(2) // mark: loop
    for (int i = 0; i < count; i++)
        body(i);
}

template <class T> struct Field {
    std::vector<T> values = std::vector<T>(8);
    template <int ms> void advance()
    {
        for_each(8, [this](int i) {
            total[omp_get_thread_num()].seconds += burn(ms / 1000.0);
            values[i] += T(1);
        });
    }
};

int main()
{
    double begin = now(), inside = 0;
    Field<double> large;
    Field<float> small;
    auto direct = [&inside] {
        #pragma omp parallel num_threads(2) reduction(+ : inside) // mark: direct
        inside += burn(0.010);
    };
    for (int step = 0; step < 10; step++) {
        large.advance<5>();
        small.advance<2>();
        direct();
    }
    truth("work@loop", sum_of(total, 2));
    truth("work@direct", inside);
    truth("instances@loop", 20);
    truth("instances@direct", 10);
    truth("elapsed", now() - begin);
}
