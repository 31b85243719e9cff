// @flags: -flto
// healthy
// Built with link-time optimisation: everything is inlined into main.
#include "truth.h"

static void step_a(double *work)
{
    double sum = 0;
    #pragma omp parallel num_threads(2) reduction(+ : sum) // mark: a
    sum += burn(0.012);
    *work += sum;
}

static void step_b(double *work)
{
    double sum = 0;
    #pragma omp parallel for num_threads(2) reduction(+ : sum) schedule(dynamic, 1) // mark: b
    for (int i = 0; i < 6; i++)
        sum += burn(0.005);
    *work += sum;
}

int main(void)
{
    double begin = now(), a = 0, b = 0;
    for (int i = 0; i < 15; i++) {
        step_a(&a);
        step_b(&b);
    }
    truth("work@a", a);
    truth("work@b", b);
    truth("instances@a", 15);
    truth("instances@b", 15);
    truth("chunks@b", 90);
    truth("elapsed", now() - begin);
}
