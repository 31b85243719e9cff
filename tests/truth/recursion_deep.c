// Regions at the bottom and in the middle of a recursion of 20000 frames.
#include "truth.h"

static double bottom, middle;

APART int down(int n)
{
    double sum = 0;
    if (n == 0) {
        #pragma omp parallel num_threads(2) reduction(+ : sum) // mark: bottom
        sum += burn(0.004);
        bottom += sum;
        return 1;
    }
    if (n == 10000) {
        #pragma omp parallel num_threads(2) reduction(+ : sum) // mark: middle
        sum += burn(0.002);
        middle += sum;
    }
    volatile int here = n;
    return down(n - 1) + (here & 1);
}

int main(void)
{
    double begin = now();
    int sum = 0;
    for (int i = 0; i < 50; i++)
        sum += down(20000);
    truth("work@bottom", bottom);
    truth("instances@bottom", 50);
    truth("work@middle", middle);
    truth("instances@middle", 50);
    truth("elapsed", now() - begin);
    return sum < 0;
}
