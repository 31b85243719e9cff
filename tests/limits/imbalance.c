// Equal numbers of unequal rows: the more threads, the more of their time they wait.
// limit: imbalance
// has: wait for each other at barriers
#include "limit.h"

APART void rows(void)
{
    #pragma omp parallel for schedule(static)
    for (int i = 0; i < 64; i++)
        WORK(i < 56 ? 20000 : 260000);
}

int main(void)
{
    for (int step = 0; step < 50; step++)
        rows();
    puts("done");
    return 0;
}
