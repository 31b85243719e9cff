// Functions that end in a region, called last by functions that do: nobody is left on the stack.
#include "truth.h"

static double first, second;

APART void inner(void)
{
    #pragma omp parallel num_threads(2) // mark: inner
    {
        double took = burn(0.012);
        #pragma omp atomic
        first += took;
    }
}

APART void outer(int step)
{
    if (step % 2)
        return inner();
    #pragma omp parallel num_threads(2) // mark: outer
    {
        double took = burn(0.006);
        #pragma omp atomic
        second += took;
    }
}

int main(void)
{
    double begin = now();
    for (int i = 0; i < 60; i++)
        outer(i);
    truth("work@inner", first);
    truth("work@outer", second);
    truth("instances@inner", 30);
    truth("elapsed", now() - begin);
}
