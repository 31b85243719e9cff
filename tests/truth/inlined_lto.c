// @flags: -flto — what is inlined at link time
// Regions of one function in loops and branches, and of one that is inlined at two places.
#include "truth.h"

static double first, second, third, fourth;

static inline __attribute__((always_inline)) void spread(double seconds, double *to)
{
    double sum = 0;
    #pragma omp parallel num_threads(2) reduction(+ : sum) // mark: spread
    sum += burn(seconds);
    *to += sum;
}

static void step(int n)
{
    double sum = 0;
    #pragma omp parallel num_threads(2) reduction(+ : sum) // mark: first
    sum += burn(0.002);
    first += sum;
    sum = 0;
    for (int i = 0; i < 2; i++) {
        #pragma omp parallel num_threads(2) reduction(+ : sum) // mark: second
        sum += burn(0.003);
    }
    second += sum;
    sum = 0;
    if (n % 2) {
        #pragma omp parallel for num_threads(2) reduction(+ : sum) // mark: third
        for (int i = 0; i < 4; i++)
            sum += burn(0.002);
        third += sum;
    }
    spread(0.002, &fourth);
    spread(0.001, &fourth);
}

int main(void)
{
    double begin = now();
    for (int i = 0; i < 50; i++)
        step(i);
    truth("work@first", first);
    truth("instances@first", 50);
    truth("work@second", second);
    truth("instances@second", 100);
    truth("work@third", third);
    truth("instances@third", 25);
    truth("work@spread", fourth);
    truth("instances@spread", 100);
    truth("elapsed", now() - begin);
}
