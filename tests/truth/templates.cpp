// One template with a loop, for a lambda and for an object.
#include "truth.h"

template <class Body> static double run(int count, Body body)
{
    double sum = 0;
    #pragma omp parallel for num_threads(2) reduction(+ : sum) schedule(dynamic) // mark: loop
    for (int i = 0; i < count; i++)
        sum += body(i);
    return sum;
}

struct Uneven {
    double unit;
    double operator()(int i) const { return burn(unit * (1 + i % 2)); }
};

int main()
{
    double begin = now();
    double even = run(20, [](int) { return burn(0.006); });
    double uneven = run(20, Uneven{0.004});
    truth("work@loop", even + uneven);
    truth("chunks@loop", 40);
    truth("elapsed", now() - begin);
}
