// healthy
// A serial recursion with a region at its bottom.
#include "truth.h"

static double work, elapsed;

APART int bottom(void)
{
    double sum = 0, from = now();
    #pragma omp parallel num_threads(2) reduction(+ : sum) // mark: region
    sum += burn(0.015);
    elapsed += now() - from;
    work += sum;
    return 1;
}

APART int descend(int depth)
{
    return depth == 0 ? bottom() : descend(depth - 1) + descend(depth - 1);
}

int main(void)
{
    double begin = now();
    truth("instances@region", descend(5));
    truth("work@region", work);
    truth("region@region", elapsed);
    truth("elapsed", now() - begin);
}
