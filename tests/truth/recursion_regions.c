// healthy
// A function that calls itself and has a region before and behind the call, on even depths.
#include "truth.h"

static double before, behind;

APART void down(int depth)
{
    if (depth % 2 == 0) {
        double sum = 0;
        #pragma omp parallel num_threads(2) reduction(+ : sum) // mark: before
        sum += burn(0.004);
        before += sum;
    }
    if (depth > 0)
        down(depth - 1);
    if (depth % 2 == 0) {
        double sum = 0;
        #pragma omp parallel num_threads(2) reduction(+ : sum) // mark: behind
        sum += burn(0.008);
        behind += sum;
    }
}

int main(void)
{
    double begin = now();
    for (int i = 0; i < 5; i++)
        down(13);
    truth("work@before", before);
    truth("work@behind", behind);
    truth("instances@before", 35);
    truth("instances@behind", 35);
    truth("elapsed", now() - begin);
}
