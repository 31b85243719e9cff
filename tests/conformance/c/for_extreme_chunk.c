/* for with a chunk far larger than the loop, near the end of the range. */
#include "check.h"

int main(void)
{
    volatile int huge = INT_MAX;
    volatile long long far = LLONG_MAX;
    long count = 0;
#pragma omp parallel reduction(+ : count)
    {
#pragma omp for schedule(dynamic, huge)
        for (int i = INT_MAX - 50; i < INT_MAX; i++)
            count++;
#pragma omp for schedule(guided, huge)
        for (int i = 0; i < 50; i++)
            count++;
#pragma omp for schedule(dynamic, far)
        for (long long i = LLONG_MAX - 50; i < LLONG_MAX; i++)
            count++;
#pragma omp for schedule(dynamic, far)
        for (unsigned long long i = ULLONG_MAX - 50; i < ULLONG_MAX; i++)
            count++;
    }
    CHECK_EQ(count, 200);
    return check_done();
}
