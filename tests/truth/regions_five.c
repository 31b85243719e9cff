// Five regions of one function, called in a loop: 5:4:3:2:1 of the work.
#include "truth.h"

static double a, b, c, d, e;

APART void step(void)
{
    #pragma omp parallel num_threads(2) reduction(+ : a) // mark: a
    a += burn(0.010);
    #pragma omp parallel num_threads(2) reduction(+ : b) // mark: b
    b += burn(0.008);
    #pragma omp parallel for num_threads(2) reduction(+ : c) // mark: c
    for (int i = 0; i < 2; i++)
        c += burn(0.006);
    #pragma omp parallel num_threads(2) reduction(+ : d) // mark: d
    d += burn(0.004);
    #pragma omp parallel for schedule(dynamic) num_threads(2) reduction(+ : e) // mark: e
    for (int i = 0; i < 4; i++)
        e += burn(0.001);
}

int main(void)
{
    double begin = now();
    for (int i = 0; i < 30; i++)
        step();
    truth("work@a", a);
    truth("work@b", b);
    truth("work@c", c);
    truth("work@d", d);
    truth("work@e", e);
    truth("elapsed", now() - begin);
}
