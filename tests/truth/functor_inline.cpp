// healthy
// Regions within inlined member functions, a constructor and a functor that is called by one.
#include "truth.h"
#include <array>

static own_t inner[4], outer[4], built[4];

struct Grid {
    std::array<double, 4> cells{};
    explicit Grid(double seconds)
    {
        #pragma omp parallel num_threads(2) // mark: constructor
        built[omp_get_thread_num()].seconds += burn(seconds);
    }
    template <class F> inline void each(F &&f)
    {
        #pragma omp parallel for num_threads(2) schedule(static, 1) // mark: each
        for (int i = 0; i < 4; i++)
            f(cells[i]);
    }
};

struct Relax {
    double seconds;
    void operator()(double &cell) const
    {
        cell += 1;
        inner[omp_get_thread_num()].seconds += burn(seconds);
    }
};

int main()
{
    double begin = now();
    for (int step = 0; step < 10; step++) {
        Grid grid(0.004);
        grid.each(Relax{0.003});
        grid.each([](double &cell) {
            cell *= 2;
            outer[omp_get_thread_num()].seconds += burn(0.005);
        });
    }
    truth("work@constructor", sum_of(built, 2));
    truth("work@each", sum_of(inner, 2) + sum_of(outer, 2));
    truth("instances@constructor", 10);
    truth("instances@each", 20);
    truth("elapsed", now() - begin);
}
