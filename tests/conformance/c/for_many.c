/* A long row of dynamic loops with barriers: the loops' records are used again and again. */
#include "check.h"

int main(void)
{
    int n = check_threads(), rounds = n > 2 ? 100 : 1000;
    long count = 0;
#pragma omp parallel
    for (int r = 0; r < rounds; r++) {
#pragma omp for schedule(dynamic, 2) reduction(+ : count)
        for (int i = 0; i < 20; i++)
            count++;
    }
    CHECK_EQ(count, 20l * rounds);
    return check_done();
}
